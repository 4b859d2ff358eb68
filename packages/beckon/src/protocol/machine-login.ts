import * as z from 'zod/mini';
import { Id } from './ids.ts';
import { must } from './parse.ts';

/** The letters of a code: no vowels, so no words; nothing that looks like a digit. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Letters of one code. With 20 letters there are 25.6 billion codes. */
export const USER_CODE_LENGTH = 8;

/** How long a machine waits to be let in. */
export const MACHINE_LOGIN_SECONDS = 600;

const HALF = `[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH / 2}}`;
const CODE = new RegExp(`^${HALF}-${HALF}$`);
const LINK = new RegExp(`^https?://[\\w.:[\\]/~-]+/connect#${HALF}-${HALF}$`);

/** The code that a machine shows, in its one spelling: `BCDF-GHJK`. It lets nobody in by itself. */
export const UserCode = z.string().check(must('a code such as BCDF-GHJK', (code) => CODE.test(code)));

/** The code in whatever spelling a person typed it; `null` if it is none. */
export function toUserCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s\p{Pd}_.]/gu, '');
  const code = `${letters.slice(0, USER_CODE_LENGTH / 2)}-${letters.slice(USER_CODE_LENGTH / 2)}`;
  return CODE.test(code) ? code : null;
}

/** A name that a machine gives itself or its user. Whoever shows it marks hidden characters. */
const Label = z
  .string()
  .check(
    must(
      '1 to 100 characters without control characters',
      (text) => text.trim() !== '' && text.length <= 100 && !/[\p{Cc}\p{Cs}]/u.test(text),
    ),
  );

/** Most agents that a machine names. */
const MOST_AGENTS = 10;

/** What a machine says when it wants to come in. Its secret never leaves it; the server gets the hash alone. */
export const MachineLoginBody = z.strictObject({
  /** Of the secret part of the token, as hex digits. */
  hash: z.string().check(
    must(
      'the SHA-256 of the secret as 64 hex digits',
      (hash) => /^[0-9a-f]{64}$/.test(hash),
      () => 'something else',
    ),
  ),
  /** What the machine is called. */
  machine: Label,
  /** Whose programs will use the token there. */
  user: Label,
  /** The agents that the machine knows of. */
  agents: z
    .array(Label)
    .check(must(`at most ${MOST_AGENTS} agents`, (agents: readonly string[]) => agents.length <= MOST_AGENTS)),
});
export type MachineLoginBody = z.output<typeof MachineLoginBody>;

/** What the machine shows to the person: a code, and a link that has it in its fragment. */
export const MachineLoginStarted = z.object({
  /** The public part of the token: `bkn_ID_SECRET`. */
  id: Id,
  userCode: UserCode,
  /** It is opened by a program of this machine, so it may be nothing but such a link. */
  verifyUrl: z
    .string()
    .check(must('a link such as https://beckon.example.com/connect#BCDF-GHJK', (url) => LINK.test(url))),
  expiresAt: z.string(),
});
export type MachineLoginStarted = z.output<typeof MachineLoginStarted>;

/** What became of a login, for the machine. `name`, and `chatId` if it is limited to a chat, are those of its token. */
export const MachineLoginStatus = z.object({
  status: z.enum(['pending', 'approved', 'refused', 'expired']),
  expiresAt: z.string(),
  name: z.optional(z.string()),
  chatId: z.optional(z.string()),
  /** Who decided. Whoever approved owns the machine. */
  by: z.optional(z.string()),
});
export type MachineLoginStatus = z.output<typeof MachineLoginStatus>;

/** A machine that waits, as the person sees it who has its code. */
export const MachineLogin = z.object({
  id: z.string(),
  userCode: z.string(),
  machine: z.string(),
  user: z.string(),
  agents: z.array(z.string()),
  /** Where the machine came from, and where the person comes from. Behind a proxy both may be the proxy's. */
  address: z.string(),
  yourAddress: z.string(),
  startedAt: z.string(),
  expiresAt: z.string(),
  /** The name that its token would get, and the one it would have if that were free. */
  name: z.string(),
  wantedName: z.string(),
  /** The chat that it would be limited to, because the person is. */
  chatId: z.optional(z.string()),
});
export type MachineLogin = z.output<typeof MachineLogin>;

export const MachineLoginParams = z.strictObject({ code: UserCode });
/** What was shown and is approved: the login, and the name of its token. */
export const ApproveMachineBody = z.strictObject({ id: Id, name: Id });
export const RefuseMachineBody = z.strictObject({ id: Id });
/** What was decided. `name` is the token's. */
export const MachineDecisionReply = z.object({
  status: z.enum(['approved', 'refused']),
  name: z.optional(z.string()),
});
export type MachineDecisionReply = z.output<typeof MachineDecisionReply>;

/** A machine that was let in. */
export const Machine = z.object({
  id: z.string(),
  name: z.string(),
  /** The person who let it in. */
  owner: z.string(),
  /** What it called itself. */
  machine: z.string(),
  chatId: z.optional(z.string()),
  createdAt: z.string(),
  /** Exact to a minute. Absent if it never came. */
  lastUsedAt: z.optional(z.string()),
});
export type Machine = z.output<typeof Machine>;

/** The machines of the caller; of everybody, for an admin. */
export const MachinesReply = z.object({ items: z.array(Machine) });
