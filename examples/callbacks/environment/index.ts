// AI_CALLBACK_HOST is the host in the addresses. By default only this machine can use them; beyond it they are signed
// and expire.
import assert from 'node:assert/strict';
import { Http } from 'beckon';
import { port } from '../port.ts';

delete process.env['AI_CALLBACK_HOST'];
const here = new Http({ id: 'user-123', port });
assert.equal(here.endpoint(), `http://127.0.0.1:${port}/callback/user-123`);
await here.close();

process.env['AI_CALLBACK_HOST'] = 'myserver.com';
const there = new Http({ id: 'user-123', port });
const url = new URL(there.endpoint());
assert.equal(url.host, `myserver.com:${port}`);
assert.ok(Number(url.searchParams.get('expires')) > Date.now() / 1000);

// As a proxy on this machine would forward it.
const local = `http://127.0.0.1:${port}${url.pathname}`;
const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"action":"click"}' };
assert.equal((await fetch(local, init)).status, 404); // Without the signature, nothing is found.
assert.equal((await fetch(local + url.search, init)).status, 200);
await there.close();
console.log('Signed for', url.host);
