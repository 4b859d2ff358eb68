// Many callbacks share one server, which routes by id: /callback/{id}. Here, a hundred people talk to their agents at
// once.
import assert from 'node:assert/strict';
import { ai, BeckonError, Http } from 'beckon';

// Not 8228, where a Beckon may be running.
const port = Number(process.env['BECKON_EXAMPLE_PORT'] ?? 8229);
const USERS = 100;
const ROUNDS = 3;

const conversations = Array.from({ length: USERS }, async (_, user) => {
  const callback = new Http({ id: `user-${user}`, port });
  const asked: string[] = [];
  const agent = async function* (query: string): AsyncGenerator<string> {
    asked.push(query);
    yield asked.length > ROUNDS ? '' : `Hello, user ${user}.`;
  };
  const continueWith = ({ data }: { data: unknown }): string => JSON.stringify(data);
  for await (const event of ai(agent, { callback, continueWith })(`I am ${user}`)) {
    if (typeof event === 'string' || event.type !== 'component') continue;
    assert.equal(event.data.callback_url, `http://127.0.0.1:${port}/callback/user-${user}`);
    const body = JSON.stringify({ action: 'click', data: { user, round: asked.length } });
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(event.data.callback_url, { method: 'POST', headers, body });
    assert.equal(reply.status, 200);
  }
  return asked;
});

const askedByUser = await Promise.all(conversations).catch((error: unknown): never => {
  if (!(error instanceof BeckonError) || error.code !== 'address_in_use') throw error;
  console.error(`Port ${port} is taken. Choose another: BECKON_EXAMPLE_PORT=8300 node examples/shared-server/index.ts`);
  process.exit(1);
});
for (const [user, asked] of askedByUser.entries()) {
  const clicks = Array.from({ length: ROUNDS }, (_, round) => JSON.stringify({ user, round: round + 1 }));
  assert.deepEqual(asked, [`I am ${user}`, ...clicks]);
}
console.log(`${USERS} users, ${ROUNDS} rounds each, one server, no click in the wrong place.`);
