import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toFileDiffs } from '../../packages/beckon/src/diff/index.ts';
import { opencode } from './drivers/opencode.ts';
import { testClient } from './harness/client.testsuite.ts';
import { type ClientLab, useClientLab } from './harness/client-lab.ts';
import { isInstalled } from './harness/installed.ts';

testClient(opencode);

const TIMEOUT_MS = 300_000;

describe.runIf(isInstalled(opencode.client))('opencode without a terminal', () => {
  const use = useClientLab({
    ...opencode,
    env: (lab) => ({ ...opencode.env?.(lab), OPENCODE_EXPERIMENTAL_PLAN_MODE: '1' }),
  });

  test('an edit is shown as a diff, and runs once it is allowed', { timeout: TIMEOUT_MS }, async () => {
    const lab = use();
    const server = await serve(lab);
    const path = join(server.project, 'hello.txt');
    lab.model.script('edit', [[{ tool: 'write', input: { filePath: path, content: 'hello\n' } }]]);
    await server.prompt('edit');
    const asked = await lab.pending(server.project, 'approval');
    expect(toFileDiffs(asked.request)).toMatchObject([{ path, added: 1, removed: 0 }]);
    await lab.answer(asked, { decision: 'allow' });
    await lab.result('edit');
    expect(readFileSync(path, 'utf8')).toBe('hello\n');
  });

  test('a turn that is aborted takes its request back', { timeout: TIMEOUT_MS }, async () => {
    const lab = use();
    const server = await serve(lab);
    lab.model.script('abort', [[opencode.call('touch marker.txt')]]);
    const session = await server.prompt('abort');
    const asked = await lab.pending(server.project, 'approval');
    await server.post(`/session/${session}/abort`, {});
    expect(await lab.settled(asked)).toMatchObject({ status: 'superseded', reason: 'opencode ended the turn' });
  });

  test('leaving plan mode is a question with two answers', { timeout: TIMEOUT_MS }, async () => {
    const lab = use();
    const server = await serve(lab);
    lab.model.script('plan', [[{ tool: 'plan_exit', input: {} }]]);
    await server.prompt('plan', { agent: 'plan' });
    const asked = await lab.pending(server.project, 'question');
    expect(asked.request).toMatchObject({
      question: expect.stringContaining('is complete'),
      options: [{ label: 'Yes' }, { label: 'No' }],
      abilities: { ownWords: false },
    });
    await lab.answer(asked, { selected: ['Yes'] });
    expect(await lab.result('plan')).toContain('approved');
  });
});

/** A program that sends one request from inside the lab's network. */
const SENDER = `const [url, body] = process.argv.slice(1);
fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  .then((reply) => reply.text()).then((text) => console.log(text));`;

/** Starts `opencode serve` in a project of its own. */
async function serve(lab: ClientLab) {
  const project = lab.project();
  const { child } = lab.run(['opencode', 'serve', '--port', '0'], project);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const url = await lab.poll('a server of opencode', () => /listening on (http:\S+)/.exec(said)?.[1]);
  const post = async (path: string, body: object): Promise<string> => {
    const run = lab.run([process.execPath, '-e', SENDER, `${url}${path}`, JSON.stringify(body)], project);
    return (await run.end()).stdout;
  };
  /** Gives the id of the session. */
  const prompt = async (scenario: string, more: object = {}): Promise<string> => {
    const { id } = JSON.parse(await post('/session', {})) as { id: string };
    const parts = [{ type: 'text', text: `Do it. SCENARIO:${scenario}` }];
    await post(`/session/${id}/prompt_async`, { parts, ...more });
    return id;
  };
  return { project, post, prompt };
}
