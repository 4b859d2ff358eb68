import { openBeckon } from '../../packages/beckon/src/index.ts';
import { openStore } from '../../packages/beckon/src/open-store.ts';
import { createRule } from '../../packages/beckon/src/testing/suites/samples.ts';
import { hearParent, readData, tellParent } from './parent.ts';
import { Random } from './random.ts';

// Asks for approvals as fast as it can while it makes and revokes rules for them, until it is killed or told to stop.

const AGENTS = 16;
/** `chats` are those whose rules this child makes; it asks in `others`. */
interface Data {
  store: string;
  seed: number;
  chats: string[];
  others?: string[];
}
/** What the children of `ruled-child.ts` say. */
export type RuledTold =
  | { type: 'ready' | 'done' }
  | { type: 'asked'; id: string; status: string }
  | { type: 'changed'; ruleId: string };

const { store, seed, chats, others = chats } = readData<Data>();
const random = new Random(seed);
const parent = hearParent<{ type: 'go' | 'stop' }>();
const tell: (told: RuledTold) => void = tellParent;
let isOver = false;

const beckon = await openBeckon({ store });
const people = await openStore(store);
tell({ type: 'ready' });
await parent.take('go');
void parent.take('stop').then(() => {
  isOver = true;
});
await Promise.all([...Array.from({ length: AGENTS }, (_, agent) => runAgent(agent)), ...chats.map(changeRules)]);
await people.close();
await beckon.close();
tell({ type: 'done' });
process.exit(0);

async function runAgent(agent: number): Promise<void> {
  const request = { tool: 'Bash', input: { command: 'npm test' } };
  while (!isOver) {
    const chatId = agent % 4 === 0 ? 'nobody' : random.pick(others);
    const { id, status } = await beckon.ask({ kind: 'approval', request, chatId, timeout: null });
    tell({ type: 'asked', id, status });
  }
}

/** Only this child has rules in this chat, and one at a time. */
async function changeRules(chatId: string): Promise<void> {
  const [earlier] = (await people.rules.list({ limit: 1, chatId })).items;
  if (earlier !== undefined) await remove(earlier.rule.id);
  while (!isOver) {
    const rule = createRule({ scope: { chatId }, effect: random.pick(['allow', 'deny'] as const) });
    await people.rules.add(rule);
    tell({ type: 'changed', ruleId: rule.id });
    await Promise.all(Array.from({ length: random.below(3) }, () => people.lastSeq()));
    await remove(rule.id);
  }
}

async function remove(id: string): Promise<void> {
  await people.rules.remove({ id, by: 'ada', at: new Date().toISOString() });
  tell({ type: 'changed', ruleId: id });
}
