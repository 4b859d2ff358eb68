import { once } from 'node:events';
import websocket, { type WebSocket as Peer } from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLICK, freePort } from '../testing/harness/post.ts';
import { until } from '../testing/suites/until.ts';
import { WebSocketCallback } from './web-socket-callback.ts';

let app: FastifyInstance;
let peers: Set<Peer>;
let url: string;
let callback: WebSocketCallback;
let onPeer: (peer: Peer) => void;

beforeEach(async () => {
  peers = new Set();
  onPeer = () => undefined;
  app = Fastify();
  await app.register(websocket);
  app.get('/callback', { websocket: true }, (peer) => {
    peers.add(peer);
    peer.on('close', () => peers.delete(peer));
    onPeer(peer);
  });
  url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws').concat('/callback');
  callback = new WebSocketCallback(url);
});
afterEach(async () => {
  callback.close();
  for (const peer of peers) peer.terminate();
  await app.close();
});

function nextPeer(): Promise<Peer> {
  return new Promise((resolve) => {
    onPeer = resolve;
  });
}

describe('a callback over a WebSocket', () => {
  test('its endpoint is the address it was made with', () => {
    expect(callback.endpoint()).toBe(url);
  });

  test('resolves with the first message, for everybody who awaits, and disconnects', async () => {
    const peer = nextPeer();
    const awaited = [callback.awaitInteraction(), callback.awaitInteraction()];
    (await peer).send(JSON.stringify(CLICK));
    expect(await Promise.all(awaited)).toEqual([CLICK, CLICK]);
    expect(await callback.awaitInteraction()).toEqual(CLICK);
    await until(() => expect(peers.size).toBe(0));
  });

  test('keeps a message that came between open and the await', async () => {
    const peer = nextPeer();
    callback.open();
    (await peer).send(JSON.stringify(CLICK));
    await until(() => expect(peers.size).toBe(0));
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test('reconnects for the next round', async () => {
    for (const data of [1, 2, 3]) {
      const peer = nextPeer();
      callback.open();
      (await peer).send(JSON.stringify({ action: 'click', data }));
      expect(await callback.awaitInteraction()).toEqual({ action: 'click', data });
    }
  });

  test.each(['no JSON', '{"data":1}', '{"action":"deny","action":"allow"}'])(
    'tells the sender what is wrong with %j, and waits on',
    async (wrong) => {
      const connected = nextPeer();
      const awaited = callback.awaitInteraction();
      const peer = await connected;
      peer.send(wrong);
      const [said] = await once(peer, 'message');
      expect(JSON.parse(String(said))).toMatchObject({ code: 'invalid_input' });
      peer.send(JSON.stringify(CLICK));
      expect(await awaited).toEqual(CLICK);
    },
  );

  test('connects again where the connection breaks', async () => {
    const first = nextPeer();
    const awaited = callback.awaitInteraction();
    const second = first.then((peer) => {
      const next = nextPeer();
      peer.terminate();
      return next;
    });
    (await second).send(JSON.stringify(CLICK));
    expect(await awaited).toEqual(CLICK);
  });

  test('times out, and disconnects', async () => {
    const connected = nextPeer();
    callback.open();
    await connected;
    await expect(callback.awaitInteraction('10ms')).rejects.toMatchObject({ code: 'wait_timed_out' });
    await until(() => expect(peers.size).toBe(0));
  });

  test('closing ends its awaits', async () => {
    const awaited = callback.awaitInteraction();
    callback.close();
    await expect(awaited).rejects.toMatchObject({ code: 'closed' });
  });

  test('says that nobody is there', async () => {
    const nobody = new WebSocketCallback(`ws://127.0.0.1:${await freePort()}`);
    await expect(nobody.awaitInteraction()).rejects.toMatchObject({ code: 'unreachable' });
  });

  test.each(['http://example.com', 'example', 'ws://'])('refuses an address that is none: %s', (wrong) => {
    expect(() => new WebSocketCallback(wrong)).toThrow('ws:// or wss://');
  });

  test('its errors do not repeat what may be secret in its address', async () => {
    const port = await freePort();
    const nobody = new WebSocketCallback(`ws://ada:secret@127.0.0.1:${port}/callback?token=secret`);
    await expect(nobody.awaitInteraction()).rejects.toMatchObject({
      message: `Nothing answers at ws://127.0.0.1:${port}/callback. Is the page's server running?`,
    });
    for (const wrong of ['http://ada:secret@example.com/?token=secret', 'wss//example.com/?token=secret']) {
      expect(() => new WebSocketCallback(wrong)).toThrow(/^(?!.*secret)/);
    }
  });
});
