import { toIso } from '../core/clock.ts';
import { CONVERSATION_HOOKS } from '../core/conversation.ts';
import type { ConversationPart, ConversationParts } from '../core/store.ts';
import type { Reader, SqlValue } from './driver.ts';
import { fromInteractionRow } from './rows.ts';
import type { InteractionRow } from './tables.ts';

/** Larger hooks are read one by one, because a page has hundreds. */
const INLINE_CHARS = 65_536;
/** How many events before and after a page are searched for the other hook of a call. */
const NEAR_EVENTS = 300;

interface HookRow {
  seq: number;
  id: string;
  event_type: string;
  at: number;
  data: string | null;
}

interface ConversationPlace {
  sessionId: string;
  before: number;
  limit: number;
  chatId?: string | undefined;
}

const HOOK_COLUMNS = `hooks.seq as seq, hooks.id as id, hooks.event_type as event_type, hooks.at as at,
  case when length(hooks.data) <= ${INLINE_CHARS} then hooks.data end as data`;
/** What belongs to no interaction, as hooks do. */
const OF_SESSION = 'log.session_id = $1 and log.interaction_id is null';

/** The newest hooks and requests of a session before a number of the log, and the hooks around them. */
export async function readConversation(reader: Reader, place: ConversationPlace): Promise<ConversationParts> {
  // Hooks belong to no chat.
  const isWhole = place.chatId === undefined;
  // One extra row tells whether there is more.
  const rows = place.limit + 1;
  const found = [...(isWhole ? await readHooks(reader, place, rows) : []), ...(await readRequests(reader, place, rows))]
    .toSorted((one, other) => other.seq - one.seq)
    .slice(0, rows);
  const page = found.slice(0, place.limit).toReversed();
  const first = page[0];
  const near = isWhole && first !== undefined ? await readNear(reader, place, first.seq) : [];
  return { page, near, hasMore: found.length > place.limit };
}

async function readHooks(reader: Reader, { sessionId, before }: ConversationPlace, rows: number) {
  const values: SqlValue[] = [sessionId, before, rows];
  const types = CONVERSATION_HOOKS.map((type) => `$${values.push(type)}`).join(', ');
  // CROSS keeps SQLite from beginning with the hooks.
  const found = await reader.all<HookRow>(
    `select ${HOOK_COLUMNS} from log cross join hooks
     where ${OF_SESSION} and log.seq < $2 and hooks.seq = log.seq and coalesce(hooks.event_type, '') in (${types})
     order by log.seq desc limit $3`,
    values,
  );
  return found.map(fromHookRow);
}

/** Hooks of calls right before and after the page: the other half of a call may be there. */
async function readNear(reader: Reader, { sessionId, before }: ConversationPlace, first: number) {
  const [older, newer] = [`log.seq < $2 order by log.seq desc`, `log.seq >= $2 order by log.seq`];
  const read = (part: string, from: number, types: readonly string[]): Promise<HookRow[]> =>
    reader.all<HookRow>(
      `select ${HOOK_COLUMNS} from (select seq from log where ${OF_SESSION} and ${part} limit ${NEAR_EVENTS}) as around
       cross join hooks where hooks.seq = around.seq
         and coalesce(hooks.event_type, '') in (${types.map((_, index) => `$${index + 3}`).join(', ')})`,
      [sessionId, from, ...types],
    );
  const begun = await read(older, first, ['PreToolUse']);
  const ended = await read(newer, before, ['PostToolUse', 'PostToolUseFailure', 'PermissionDenied']);
  return [...begun, ...ended].map(fromHookRow);
}

async function readRequests(reader: Reader, { sessionId, before, chatId }: ConversationPlace, rows: number) {
  const values: SqlValue[] = [sessionId, before, rows];
  const inChat = chatId === undefined ? '' : `and coalesce(chat_id, '') = $${values.push(chatId)}`;
  const found = await reader.all<InteractionRow>(
    `select * from interactions where seq in
       (select seq from interactions where session_id = $1 and seq < $2 ${inChat} order by seq desc limit $3)`,
    values,
  );
  return found.map((row): ConversationPart => ({ seq: row.seq, interaction: fromInteractionRow(row) }));
}

function fromHookRow({ seq, id, event_type, at, data }: HookRow): ConversationPart {
  return { seq, hook: { id, eventType: event_type, at: toIso(at), data } };
}
