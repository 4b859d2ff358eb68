import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const example = fileURLToPath(new URL('../../examples/frameworks/index.ts', import.meta.url));

test.each(['ai-sdk', 'langgraph', 'openai-agents'])(
  'an agent of %s that is killed while it waits goes on with what people said meanwhile',
  async (framework) => {
    const { stdout } = await promisify(execFile)(process.execPath, [example, framework]);
    expect(stdout).toContain(`${framework}: killed, answered and resumed.`);
    expect(stdout.match(/denied/gi)).toEqual(['Denied']);
  },
);
