// Plays the same story with an agent of each framework: it asks, is killed while it waits, people answer while it is
// dead, and when it is started again it goes on with their answers. `node index.ts langgraph` plays one of them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Beckon, type Interaction, openBeckon } from 'beckon';

const ANA = { who: 'ana', via: 'example' };
const ANSWERS = [
  'v1.2 is in preview.',
  'The request was cancelled without an answer: the tests are red',
  'Denied by ana: not on a Friday',
];
const EXPIRED = 'Nobody answered in time.';
/** What each agent says in the end: one line for each request. */
const FRAMEWORKS: Record<string, string[]> = {
  'ai-sdk': [...ANSWERS, 'Ben'],
  langgraph: ANSWERS,
  'openai-agents': ANSWERS,
};

for (const framework of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(FRAMEWORKS)) {
  const expected = FRAMEWORKS[framework];
  assert(expected, `No framework "${framework}".`);
  await inFolder((folder) => killAndAnswer(framework, folder, expected));
  await inFolder((folder) => letExpire(framework, folder, expected.length));
  console.log(`${framework}: killed, answered and resumed. It said:\n  ${expected.join('\n  ')}`);
}

async function killAndAnswer(framework: string, folder: string, expected: string[]): Promise<void> {
  const beckon = await openBeckon({ store: `sqlite:${folder}/beckon.db` });
  const agent = start(framework, folder);
  const died = new AbortController();
  const closed = once(agent, 'close').then(() => died.abort(new Error(`${framework} did not wait.`)));
  const requests = await waitForRequests(beckon, expected.length, died.signal);
  agent.kill('SIGKILL');
  await closed;
  for (const request of requests) await decide(beckon, request);

  assert.deepEqual(await runToEnd(framework, folder), expected);
  assert.equal(readFileSync(`${folder}/released.txt`, 'utf8'), 'preview\n');
  assert.equal((await beckon.list()).items.length, expected.length, 'The agent asked something twice.');
  await beckon.close();
}

/** Nobody is there, and nothing is released. */
async function letExpire(framework: string, folder: string, requests: number): Promise<void> {
  assert.deepEqual(await runToEnd(framework, folder, 1), Array(requests).fill(EXPIRED));
  assert.throws(() => readFileSync(`${folder}/released.txt`));
}

/** What a person does on the inbox page, in a terminal or in a chat. */
async function decide(beckon: Beckon, { id, kind, request }: Interaction): Promise<void> {
  if (kind === 'question') await beckon.answer(id, { selected: ['Ben'] }, ANA);
  else if (kind === 'approval' && request.input['stage'] === 'preview')
    await beckon.answer(id, { decision: 'allow' }, ANA);
  else if (kind === 'approval' && request.input['stage'] === 'production')
    await beckon.answer(id, { decision: 'deny', message: 'not on a Friday' }, ANA);
  else await beckon.cancel({ id }, 'the tests are red');
}

async function waitForRequests(beckon: Beckon, count: number, signal: AbortSignal): Promise<Interaction[]> {
  const requests: Interaction[] = [];
  for await (const event of beckon.events({ after: 0, signal })) {
    if (event.type !== 'interaction.requested') continue;
    const request = await beckon.get(event.interactionId);
    assert(request);
    requests.push(request);
    if (requests.length === count) break;
  }
  return requests;
}

function start(framework: string, folder: string, ...args: string[]) {
  const file = fileURLToPath(new URL(`${framework}.ts`, import.meta.url));
  return spawn(process.execPath, [file, folder, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The lines that an agent prints until it ends by itself. */
async function runToEnd(framework: string, folder: string, ...args: number[]): Promise<string[]> {
  const agent = start(framework, folder, ...args.map(String));
  const [output, [code]] = await Promise.all([text(agent.stdout), once(agent, 'close')]);
  assert.equal(code, 0, `${framework} failed.`);
  return output.trim().split('\n');
}

async function inFolder(play: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-example-'));
  await play(folder);
  rmSync(folder, { recursive: true });
}
