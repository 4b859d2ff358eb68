import type { Driver } from '../driver.ts';
import { init } from './0001-init.ts';
import { tokens } from './0002-tokens.ts';
import { inbox } from './0003-inbox.ts';
import { outbox } from './0004-outbox.ts';
import { consent } from './0005-consent.ts';
import { context } from './0006-context.ts';
import { triage } from './0007-triage.ts';
import { rules } from './0008-rules.ts';
import { notify } from './0009-notify.ts';
import { machineLogins } from './0010-machine-logins.ts';
import { replies } from './0011-replies.ts';
import { attendance } from './0012-attendance.ts';
import { timePolicies } from './0013-time-policies.ts';
import { stillIndexes } from './0014-still-indexes.ts';

/** The statements that bring the schema from one revision to the next. Never edited once released. */
export type Migration = (driver: Pick<Driver, 'engine' | 'bigint'>) => readonly string[];

/** Every migration in order: revision 1 is the first. */
export const MIGRATIONS: readonly Migration[] = [
  init,
  tokens,
  inbox,
  outbox,
  consent,
  context,
  triage,
  rules,
  notify,
  machineLogins,
  replies,
  attendance,
  timePolicies,
  stillIndexes,
];
