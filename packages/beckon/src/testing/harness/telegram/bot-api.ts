import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFault } from './bot-api-rules.ts';

/** A person as the stand-in knows them. */
export interface Person {
  id: number;
  first_name: string;
  username?: string;
}

/** A message as it looks in Telegram. */
export interface SeenMessage {
  message_id: number;
  chat: number;
  text: string;
  entities: { type: string; offset: number; length: number }[];
  buttons: { text: string; data: string }[];
  document?: { name: string; text: string };
  replyTo?: number;
}

/**
 * What becomes of the next call of a method. `lost`: it is done, but the reply never arrives; `hold`: it arrives later.
 */
export type Trouble = { method: string } & (
  | { retryAfter: number }
  | { status: number }
  | { cut: true }
  | { lost: true }
  | { hold: Promise<void> }
);

type Payload = Record<string, unknown>;

/** Stands in for Telegram's Bot API on loopback. It refuses what Telegram would refuse, and notes each as a fault. */
export class BotApiServer {
  readonly token = '123456:AAFakeTokenForTests-only';
  /** What was sent although Telegram would not take it. */
  readonly faults: string[] = [];
  /** Everything that was called, in order, polls left out. */
  readonly calls: { method: string; payload: Payload }[] = [];
  /** What people read over the chat after a press, by the press. */
  readonly toasts = new Map<string, string>();
  readonly messages: SeenMessage[] = [];
  readonly #server: Server;
  readonly #troubles: Trouble[] = [];
  readonly #quietUntil = new Map<string, number>();
  #updates: { update_id: number }[] = [];
  #wake: (() => void) | undefined;
  #lastId = 0;
  #failingSends = 0;
  #isFailingPolls = false;
  polls = 0;
  /** How many updates were given to the bot so far. */
  handedOut = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<BotApiServer> {
    const server = createServer();
    const api = new BotApiServer(server);
    server.on('request', (request, response) => {
      api.#handle(request, response).catch((error: unknown) => {
        api.faults.push(`the stand-in failed: ${String(error)}`);
        response.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** How many updates Telegram would give again. */
  get waiting(): number {
    return this.#updates.length;
  }

  /** Troubles happen one after the other, each to the next call of its method. */
  prepare(...troubles: Trouble[]): void {
    this.#troubles.push(...troubles);
  }

  /** So many of the next messages are refused; `Infinity` until it is called again. */
  failSends(count: number): void {
    this.#failingSends = count;
  }

  /** Whether polls are refused from here on. */
  failPolls(isFailing: boolean): void {
    this.#isFailingPolls = isFailing;
  }

  /** Cuts every connection, also the poll that waits. */
  cutConnections(): void {
    this.#server.closeAllConnections();
  }

  /** Somebody types a text. Gives the number of its message. `more` is what else Telegram tells of it. */
  say(chat: number, from: Person, text: string, replyTo?: number, more: object = {}): number {
    const message_id = this.#nextId();
    const isBots = this.messages.some((seen) => seen.chat === chat && seen.message_id === replyTo);
    const author = isBots ? { id: 123456, is_bot: true, first_name: 'Beckon' } : from;
    const original = { message_id: replyTo, chat: toChat(chat), date: 1, from: author };
    const reply = replyTo === undefined ? {} : { reply_to_message: original };
    this.#push({ message: { message_id, date: toSeconds(), chat: toChat(chat), from, text, ...reply, ...more } });
    return message_id;
  }

  /** Telegram gives an update, whatever it is. */
  deliver(update: object): void {
    this.#push(update);
  }

  /** Somebody presses the button whose text contains `label`. Gives the number of the press. */
  press(message: SeenMessage, from: Person, label: string): string {
    const button = message.buttons.find(({ text }) => text.includes(label));
    if (button === undefined) throw new Error(`No button ${label} below ${JSON.stringify(message.text)}`);
    return this.pressData(message.chat, message.message_id, from, button.data);
  }

  /** Somebody's client sends any data, as if it were a button's. */
  pressData(chat: number, message_id: number, from: Person, data: string): string {
    const id = String(this.#nextId());
    const message = { message_id, date: 1, chat: toChat(chat), text: 'x' };
    this.#push({ callback_query: { id, from, chat_instance: '1', message, data } });
    return id;
  }

  /** Somebody deletes a message. */
  remove(message: SeenMessage): void {
    this.messages.splice(this.messages.indexOf(message), 1);
  }

  #push(update: object): void {
    this.#updates.push({ update_id: this.#nextId(), ...update });
    this.#wake?.();
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const payload = await readPayload(request);
    if (token !== this.token) return refuse(response, 401, 'Unauthorized');
    const early = (this.#quietUntil.get(method) ?? 0) - performance.now();
    if (early > 0) this.faults.push(`${method} came ${early} ms before its retry_after was over`);
    const at = this.#troubles.findIndex((trouble) => trouble.method === method);
    const [trouble] = at < 0 ? [] : this.#troubles.splice(at, 1);
    if (trouble !== undefined && 'cut' in trouble) return void request.socket.destroy();
    if (trouble !== undefined && 'status' in trouble) return refuse(response, trouble.status, 'Something is broken');
    if (trouble !== undefined && 'retryAfter' in trouble) {
      this.#quietUntil.set(method, performance.now() + trouble.retryAfter * 1000);
      return refuse(response, 429, 'Too Many Requests', { retry_after: trouble.retryAfter });
    }
    if (method.startsWith('send') && this.#failingSends > 0) {
      this.#failingSends -= 1;
      return refuse(response, 500, 'Something is broken');
    }
    if (method === 'getUpdates' && this.#isFailingPolls) return refuse(response, 502, 'Something is broken');
    const isLost = trouble !== undefined && 'lost' in trouble;
    if (method === 'getUpdates') return this.#poll(payload, response, isLost);
    this.calls.push({ method, payload });
    const fault = findFault(method, payload);
    if (fault !== null) this.faults.push(`${method}: ${fault}`);
    const result = fault === null ? this.#perform(method, payload) : `Bad Request: ${fault}`;
    if (trouble !== undefined && 'lost' in trouble) return void request.socket.destroy();
    if (trouble !== undefined) await trouble.hold;
    if (typeof result === 'string') return refuse(response, 400, result);
    accept(response, result);
  }

  async #poll(payload: Payload, response: ServerResponse, isLost: boolean): Promise<void> {
    this.polls += 1;
    this.#updates = this.#updates.filter(({ update_id }) => update_id >= Number(payload['offset'] ?? 0));
    if (isLost) return void response.destroy();
    if (this.#updates.length === 0 && Number(payload['timeout'] ?? 0) > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        response.once('close', resolve);
        setTimeout(resolve, Number(payload['timeout']) * 1000).unref();
      });
    }
    // Telegram too gives a batch, and gives it again until a later offset is asked for.
    if (response.destroyed) return;
    const batch = this.#updates.slice(0, Number(payload['limit'] ?? 100));
    this.handedOut += batch.length;
    accept(response, batch);
  }

  /** Does what is asked, and gives the result; a text is what Telegram would refuse it with. */
  #perform(method: string, payload: Payload): object | true | string {
    const chat = Number(payload['chat_id']);
    const known = this.messages.find((seen) => seen.chat === chat && seen.message_id === payload['message_id']);
    const text = typeof payload['text'] === 'string' ? payload['text'] : '';
    const painted = { text, entities: (payload['entities'] ?? []) as [] };
    switch (method) {
      case 'getMe':
        return { id: 123456, is_bot: true, first_name: 'Beckon', username: 'beckon_bot' };
      case 'deleteWebhook':
        return true;
      case 'answerCallbackQuery':
        this.toasts.set(payload['callback_query_id'] as string, text);
        return true;
      case 'sendMessage': {
        const reply = payload['reply_parameters'] as { message_id: number } | undefined;
        const message = { message_id: this.#nextId(), chat, ...painted, buttons: toButtons(payload) };
        this.messages.push({ ...message, ...(reply && { replyTo: reply.message_id }) });
        return { message_id: message.message_id, date: 1, chat: toChat(chat), text: painted.text };
      }
      case 'sendDocument': {
        const document = payload['document'] as { name: string; text: string };
        const message = { message_id: this.#nextId(), chat, text: '', entities: [], buttons: [], document };
        this.messages.push(message);
        return { message_id: message.message_id, date: 1, chat: toChat(chat) };
      }
      case 'editMessageText':
      case 'editMessageReplyMarkup': {
        if (known === undefined) return 'Bad Request: message to edit not found';
        const next = { ...(method === 'editMessageText' ? painted : {}), buttons: toButtons(payload) };
        if (JSON.stringify({ ...known, ...next }) === JSON.stringify(known))
          return 'Bad Request: message is not modified';
        Object.assign(known, next);
        return { message_id: known.message_id, date: 1, edit_date: toSeconds(), chat: toChat(chat), text: known.text };
      }
      default:
        return 'no such method';
    }
  }
}

function toSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function toChat(id: number): object {
  return id > 0 ? { id, type: 'private', first_name: 'x' } : { id, type: 'supergroup', title: 'x' };
}

function toButtons(payload: Payload): { text: string; data: string }[] {
  const markup = payload['reply_markup'] as
    | { inline_keyboard: { text: string; callback_data: string }[][] }
    | undefined;
  return (markup?.inline_keyboard ?? []).flat().map(({ text, callback_data }) => ({ text, data: callback_data }));
}

async function readPayload(request: IncomingMessage): Promise<Payload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (type === 'application/json') return JSON.parse(body.toString('utf8')) as Payload;
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const payload: Payload = {};
  for (const [name, value] of form) {
    if (typeof value !== 'string') payload['document'] = { name: value.name, text: await value.text() };
    else if (name !== 'document') payload[name] = name === 'chat_id' ? Number(value) : value;
  }
  return payload;
}

function accept(response: ServerResponse, result: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ok: true, result }));
}

function refuse(response: ServerResponse, error_code: number, description: string, parameters?: object): void {
  response.statusCode = error_code;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ok: false, error_code, description, ...(parameters && { parameters }) }));
}
