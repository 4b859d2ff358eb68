// An agent asks, a person answers in the terminal, the agent continues. The question is on disk: leave with Ctrl-C,
// start again, and it is still there. It needs no daemon: Beckon runs in this process.

import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { type Beckon, type InteractionOf, openBeckon } from 'beckon';

const CHAT_ID = 'first-question';
const file = process.env['BECKON_EXAMPLE_DB'] ?? fileURLToPath(new URL('./beckon.db', import.meta.url));

if (!process.stdin.isTTY) {
  console.error(
    'There is no terminal here to ask a question on. Run "node examples/first-question/index.ts" in a terminal.',
  );
  process.exit(2);
}

const beckon = await openBeckon({ store: `sqlite:${file}` });
const question = (await findPending(beckon)) ?? (await ask(beckon));

// The agent waits. The person may answer in this terminal; another process on the same file could be faster.
const settled = beckon.wait(question.id);
const closePrompt = new AbortController();
settled.then(
  () => closePrompt.abort(),
  () => undefined, // Closing ends the wait, and nothing is left to do.
);
const text = await promptFor(question, closePrompt.signal);
if (text === null && !closePrompt.signal.aborted) {
  console.log('\nNot answered. The question stays on disk: run this example again to find it.');
  await beckon.close();
  process.exit(130);
}
if (text !== null) await beckon.answer(question.id, { text }, { who: process.env['USER'] ?? 'you', via: 'terminal' });

const outcome = await settled;
console.log(`\nThe agent continues. Outcome: ${outcome.status}`);
if (outcome.kind === 'question' && outcome.answer !== undefined) {
  console.log(`Answer:  ${outcome.answer.text} (by ${outcome.answeredBy?.who}, in the ${outcome.answeredBy?.via})`);
}
console.log('\nThe log of this request:');
for (const line of await readLog(beckon, question.id)) console.log(`  ${line}`);
await beckon.close();

async function findPending(beckon: Beckon): Promise<InteractionOf<'question'> | undefined> {
  const { items } = await beckon.list({ chatId: CHAT_ID, status: 'pending', kind: 'question' });
  const pending = items.find((interaction) => interaction.kind === 'question');
  if (pending !== undefined) console.log(`A question has been waiting for you since ${pending.createdAt}.`);
  return pending;
}

async function ask(beckon: Beckon): Promise<InteractionOf<'question'>> {
  const asked = await beckon.ask({
    kind: 'question',
    chatId: CHAT_ID,
    timeout: null,
    request: {
      question: 'The tests are green. Deploy to production?',
      options: [
        { label: 'Deploy', description: 'ship it now' },
        { label: 'Wait', description: 'not before tomorrow' },
      ],
    },
  });
  console.log(`An agent asks. The question is on disk as ${asked.id}.`);
  return asked;
}

/** The person's answer, or `null` if they left (Ctrl-C, Ctrl-D) or someone answered elsewhere. */
async function promptFor({ request }: InteractionOf<'question'>, signal: AbortSignal): Promise<string | null> {
  console.log(`\n  ${request.question}\n`);
  for (const [index, { label, description }] of request.options.entries()) {
    console.log(`    ${index + 1}  ${label}${description === undefined ? '' : ` – ${description}`}`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const left = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)));
  try {
    for (;;) {
      const line = await Promise.race([terminal.question('\n  A number, or your own words: ', { signal }), left]);
      if (line === null) return null;
      const text = request.options[Number(line) - 1]?.label ?? line.trim();
      if (text !== '') return text;
    }
  } catch (error) {
    if (signal.aborted || (error instanceof Error && error.name === 'AbortError')) return null;
    throw error;
  } finally {
    terminal.close();
  }
}

async function readLog(beckon: Beckon, id: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of beckon.events({ after: 0 })) {
    if (!('interactionId' in event) || event.interactionId !== id) continue;
    lines.push(`#${event.seq}  ${event.at}  ${event.type}`);
    if (event.type !== 'interaction.requested') break;
  }
  return lines;
}
