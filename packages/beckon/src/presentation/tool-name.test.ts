import { expect, test } from 'vitest';
import { toToolName } from './tool-name.ts';

test.each([
  ['mcp__github__create_issue', { server: 'GitHub', tool: 'create issue' }],
  ['mcp__my-files__read__whole_file', { server: 'My files', tool: 'read whole file' }],
  ['mcp__a__b', { server: 'A', tool: 'b' }],
  ['mcp__lab__', { tool: 'mcp__lab__' }],
  ['mcp____x', { tool: 'mcp____x' }],
  ['mcp__constructor__run', { server: 'Constructor', tool: 'run' }],
  ['Bash', { tool: 'Bash' }],
])('%s is %j', (name, parts) => {
  expect(toToolName(name)).toEqual(parts);
});
