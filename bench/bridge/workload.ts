/** The session and the command that the hooks belong to. */
export const SESSION = '0193c3f5-6f0e-7b1a-9c55-2f2d7c1f9a10';
export const INTERACTION = 'interaction-abc123';

/** An everyday hook of Claude Code: a tool was used. About 1 KB, and ASCII alone, as the load generator has it. */
export const HOOK = JSON.stringify({
  session_id: SESSION,
  transcript_path: `/home/dev/.claude/projects/-home-dev-shop/${SESSION}.jsonl`,
  cwd: '/home/dev/shop',
  permission_mode: 'default',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test -- --run packages/cart', description: 'Run the tests of the cart' },
  tool_response: {
    stdout: 'RUN  v5.1.0 /home/dev/shop\n\n PASS packages/cart/src/cart.test.ts (12 tests) 41ms\n'.repeat(6),
    stderr: '',
    interrupted: false,
    isImage: false,
  },
  tool_use_id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
});
