import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Interaction } from '../../packages/beckon/src/index.ts';
import { CLAUDE } from './harness/client.ts';
import { useLab } from './harness/use-lab.ts';

const main = fileURLToPath(new URL('../../packages/beckon/src/cli/main.ts', import.meta.url));

describe.runIf(CLAUDE !== null)('the MCP server of Beckon, called by Claude Code', () => {
  const use = useLab();

  test('on stdio, asks a question', async () => {
    const answered = await call('mcp-stdio', { command: process.execPath, args: [main, 'mcp'] });
    expect(answered).toBe('{"status":"answered","answer":{"text":"yes","selected":["yes"]},"answered_by":"ana"}');
  });

  test('over HTTP, asks a question', async () => {
    const home = join(use().folder, 'beckon');
    const { url } = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')) as { url: string };
    const headers = { Authorization: `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}` };
    const answered = await call('mcp-http', { type: 'http', url: `${url}/mcp`, headers });
    expect(answered).toBe('{"status":"answered","answer":{"text":"yes","selected":["yes"]},"answered_by":"ana"}');
  });

  async function call(scenario: string, server: object): Promise<string> {
    const lab = use();
    const input = { question: `Deploy ${scenario}?`, options: [{ label: 'yes' }, { label: 'no' }] };
    lab.api.script(scenario, [[{ tool: 'mcp__beckon__ask_question', input }]]);
    const config = ['--mcp-config', JSON.stringify({ mcpServers: { beckon: server } }), '--strict-mcp-config'];
    const run = lab.print(await lab.project(), scenario, ...config, '--allowedTools', 'mcp__beckon__ask_question');
    const asked = await lab.poll<Interaction>('the question', async () => {
      const { items } = await lab.beckon.list({ status: 'pending', kind: 'question' });
      return items.find(({ request }) => 'question' in request && request.question === input.question);
    });
    await lab.answer(asked, { selected: ['yes'] });
    await run.end();
    return lab.result(scenario);
  }
});
