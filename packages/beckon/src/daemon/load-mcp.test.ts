import { expect, test } from 'vitest';
import { loadMcp } from './load-mcp.ts';

test('packages of MCP that are not installed are named', async () => {
  const cause = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadMcp(() => Promise.reject(cause))).rejects.toMatchObject({
    code: 'not_installed',
    message: expect.stringContaining('npm install @modelcontextprotocol/server @modelcontextprotocol/node'),
    cause,
  });
});

test('what goes wrong otherwise stays as it is', async () => {
  const broken = new SyntaxError('broken');
  await expect(loadMcp(() => Promise.reject(broken))).rejects.toBe(broken);
  expect(await loadMcp(() => Promise.resolve('there'))).toBe('there');
});
