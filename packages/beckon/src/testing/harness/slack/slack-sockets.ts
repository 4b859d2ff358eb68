import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketPeer } from './web-socket.ts';

/** Something that Slack sends to the app. */
interface Envelope {
  envelope_id: string;
  type: 'interactive' | 'events_api';
  payload: object;
  /** How often it was sent before. */
  retries: number;
  isAcknowledged: boolean;
  /** The connection that it was sent on. */
  via: Connection | null;
}

interface Connection {
  peer: WebSocketPeer;
  /** Whether it was greeted, and whether it was asked to leave. */
  isGreeted: boolean;
  isLeaving: boolean;
}

/**
 * The connections of Socket Mode. As Slack does, it gives an event again that nobody acknowledged, and a press only
 * once: if there is no connection, or it is cut before the press was acknowledged, the person is told that it failed.
 */
export class SlackSockets {
  readonly #connections: Connection[] = [];
  readonly #envelopes: Envelope[] = [];
  /** What the app replied to an envelope, by its id. */
  readonly replies = new Map<string, Record<string, unknown>>();
  /** What the app sent that Slack would not understand. */
  readonly faults: string[] = [];
  /** How many connections there were so far. */
  opened = 0;
  /** Whether connections are refused, or accepted and never greeted. */
  isRefusing = false;
  isMute = false;
  /** Whether every envelope is sent twice: as it is, or in another envelope. */
  doubling: 'same envelope' | 'other envelope' | undefined;
  #held: Envelope[] | undefined;

  accept(request: IncomingMessage, socket: Duplex): void {
    if (this.isRefusing) return void socket.destroy();
    const connection: Connection = {
      isGreeted: false,
      isLeaving: false,
      peer: WebSocketPeer.accept(request, socket, {
        onText: (text) => this.#receive(text),
        onEnd: () => this.#retry(connection),
      }),
    };
    this.#connections.push(connection);
    this.opened += 1;
    if (this.isMute) return;
    connection.isGreeted = true;
    const debug_info = { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060 };
    const hello = { type: 'hello', num_connections: this.count, debug_info, connection_info: { app_id: 'A1' } };
    connection.peer.send(JSON.stringify(hello));
    for (const envelope of this.#envelopes) if (isWaiting(envelope)) this.#send(envelope);
  }

  /** How many connections are open. */
  get count(): number {
    return this.#connections.filter(({ peer }) => peer.isOpen).length;
  }

  /** How often the app asked whether Slack is there. */
  get pings(): number {
    return this.#connections.reduce((sum, { peer }) => sum + peer.pings, 0);
  }

  /** The envelopes that nobody acknowledged. */
  get unacknowledged(): number {
    return this.#envelopes.filter(({ isAcknowledged }) => !isAcknowledged).length;
  }

  /** Sends something to the app. Returns the id of its envelope. */
  deliver(type: Envelope['type'], payload: object): string {
    const envelope = { envelope_id: randomUUID(), type, payload, retries: 0, isAcknowledged: false, via: null };
    this.#envelopes.push(envelope);
    if (this.#held === undefined) this.#send(envelope);
    else this.#held.push(envelope);
    return envelope.envelope_id;
  }

  /** Whether the person was told that a press did not arrive. */
  hasFailed(id: string): boolean {
    const envelope = this.#envelopes.find(({ envelope_id }) => envelope_id === id);
    return envelope !== undefined && !envelope.isAcknowledged && envelope.via?.peer.isOpen !== true;
  }

  /** Keeps what is sent from here on, until `release`. */
  hold(): void {
    this.#held = [];
  }

  /** Sends what was kept, the latest first. */
  releaseReversed(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const envelope of held.toReversed()) this.#send(envelope);
  }

  /** Sends any text on every connection. */
  sendRaw(text: string): void {
    for (const { peer } of this.#connections) if (peer.isOpen) peer.send(text);
  }

  /** Asks every connection to leave, as Slack does now and then. */
  askToLeave(reason: 'refresh_requested' | 'warning'): void {
    for (const connection of this.#connections) {
      if (!connection.peer.isOpen) continue;
      connection.isLeaving = true;
      connection.peer.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-1' } }));
    }
  }

  /** Cuts every connection without a word. */
  cut(): void {
    for (const { peer } of this.#connections) peer.cut();
  }

  /** From here on the connections that are open now answer nothing. */
  silence(): void {
    for (const { peer } of this.#connections) peer.isSilent = true;
  }

  #send(envelope: Envelope): void {
    const open = this.#connections.filter(({ peer, isGreeted }) => peer.isOpen && isGreeted);
    // Slack prefers connections that stay.
    const connection = open.find(({ isLeaving }) => !isLeaving) ?? open[0];
    if (connection === undefined) return;
    envelope.via = connection;
    const { type, payload, retries } = envelope;
    const isInteractive = type === 'interactive';
    const retry = isInteractive ? {} : { retry_attempt: retries, retry_reason: retries === 0 ? '' : 'timeout' };
    const write = (envelope_id: string): void =>
      connection.peer.send(
        JSON.stringify({ envelope_id, type, payload, accepts_response_payload: isInteractive, ...retry }),
      );
    write(envelope.envelope_id);
    envelope.retries += 1;
    if (this.doubling === 'same envelope') write(envelope.envelope_id);
    if (this.doubling === 'other envelope') write(`again-${envelope.envelope_id}`);
  }

  #receive(text: string): void {
    const reply = JSON.parse(text) as { envelope_id?: string; payload?: Record<string, unknown> };
    const id = reply.envelope_id?.replace(/^again-/, '');
    const envelope = this.#envelopes.find(({ envelope_id }) => envelope_id === id);
    if (envelope === undefined) return void this.faults.push(`an acknowledgement of nothing: ${text}`);
    envelope.isAcknowledged = true;
    if (id !== undefined && !this.replies.has(id)) this.replies.set(id, reply.payload ?? {});
  }

  // A connection ended: events that were not acknowledged are sent on another one.
  #retry(connection: Connection): void {
    for (const envelope of this.#envelopes) {
      if (envelope.via === connection && isWaiting(envelope)) this.#send(envelope);
    }
  }
}

function isWaiting({ type, isAcknowledged, via }: Envelope): boolean {
  return type === 'events_api' && !isAcknowledged && via?.peer.isOpen !== true;
}
