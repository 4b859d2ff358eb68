// Rules for the pictures of docs/images/, and calls that they decide: made over HTTP by ada, asked through the hook
// command.
import { join } from 'node:path';
import { createToken, SESSION, sendHook, toCommon } from './story.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./story.mjs').tellStory>>} World */

/** @type {readonly import('../../packages/beckon/src/protocol/rule.ts').RuleDraft[]} */
const DRAFTS = [
  {
    effect: 'deny',
    tool: 'Bash',
    match: { commands: [{ words: ['redis-cli', 'flushdb'], rest: 'any' }] },
    scope: { project: 'api' },
    reason: 'Everybody\u2019s sessions are in there. Delete single keys instead.',
  },
  {
    effect: 'allow',
    tool: 'WebFetch',
    match: { domain: 'www.postgresql.org' },
    scope: { project: 'infra' },
    mode: 'watch',
    until: '7d',
  },
  {
    effect: 'allow',
    tool: 'Bash',
    match: { commands: [{ words: ['npm', 'run', 'lint'], rest: 'any' }] },
    scope: { project: 'webshop' },
  },
];

/**
 * Makes the rules, and lets the first session ask for calls that they decide.
 * @param {World} world
 */
export async function makeRules(world) {
  const token = await createToken(world.bench, 'ada', 'admin');
  for (const rule of DRAFTS) {
    const reply = await fetch(`${world.url}/v1/rules`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rule }),
    });
    if (!reply.ok) throw new Error(await reply.text());
  }
  const cwd = join(world.folder, 'webshop');
  const common = toCommon(SESSION, cwd, join(world.folder, `${SESSION}.jsonl`));
  for (const name of ['cart', 'total', 'rates', 'receipt']) {
    const tool_input = { command: `npm run lint -- src/${name}`, description: `Check ${name}` };
    const hook = { ...common, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input };
    await sendHook(world, hook, cwd).exit;
  }
}
