import * as z from 'zod/mini';

/** What a token allows: `agent` asks and waits, `person` sees and answers, `admin` does everything. */
export const ROLES = ['agent', 'person', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = (typeof ROLES)[number];
