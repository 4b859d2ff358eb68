import * as z from 'zod/mini';
import { FormListener } from './form-listener.ts';
import { toNoteView } from './modal.ts';
import type { Place } from './place.ts';
import { PressListener } from './press-listener.ts';
import type { Envelope } from './socket.ts';
import { TextListener } from './text-listener.ts';
import { BlockActions, EventPayload, type MessageEvent, ViewSubmission } from './wire.ts';
import { SENDING } from './words.ts';

/** Slack gives an event again for some minutes. */
const MOST_TAKEN = 10_000;

/** Takes what Slack sends: acknowledges it first, drops what came before, and hands on the rest. */
export class Listener {
  readonly #place: Place;
  readonly #presses: PressListener;
  readonly #forms: FormListener;
  readonly #texts: TextListener;
  /** The envelopes, presses and forms that were taken. */
  readonly #taken = new Set<string>();

  constructor(place: Place) {
    this.#place = place;
    this.#forms = new FormListener(place);
    this.#presses = new PressListener(place, this.#forms);
    this.#texts = new TextListener(place);
  }

  take({ id, type, payload, acknowledge }: Envelope): void {
    const submission = type === 'interactive' ? z.safeParse(ViewSubmission, payload).data : undefined;
    const reply = submission === undefined ? {} : { response_action: 'update', view: toNoteView(SENDING) };
    // If the connection is gone, Slack sends an event again, and tells the person that a press did not arrive. It is
    // used all the same: what is pressed again is then a repeat.
    acknowledge(reply).catch(() => undefined);
    if (!this.#isNew(id)) return;
    if (submission !== undefined) return this.#takeForm(submission);
    if (type === 'interactive') return this.#takePress(payload);
    const { data } = z.safeParse(EventPayload, payload);
    if (type === 'events_api' && data !== undefined) this.hear(data.event);
  }

  /** Takes a message, which may have been taken before. */
  hear(message: MessageEvent): void {
    this.#inOrder(`${message.channel} ${message.thread_ts ?? message.ts}`, () => this.#texts.take(message));
  }

  #takePress(payload: unknown): void {
    const { data: actions } = z.safeParse(BlockActions, payload);
    const [action] = actions?.actions ?? [];
    if (actions === undefined || action === undefined) return;
    const { channel_id: channel, message_ts: ts } = actions.container;
    // The same press in another envelope is the same press.
    if (!this.#isNew(JSON.stringify([actions.user.id, channel, ts, action.action_id, action.action_ts]))) return;
    this.#inOrder(`${channel} ${ts}`, () => this.#presses.take(actions));
  }

  #takeForm(submission: ViewSubmission): void {
    const { id, hash } = submission.view;
    if (this.#isNew(JSON.stringify([id, hash]))) this.#inOrder(id, () => this.#forms.take(submission));
  }

  #isNew(name: string): boolean {
    if (this.#taken.has(name)) return false;
    this.#taken.add(name);
    const [oldest] = this.#taken;
    if (this.#taken.size > MOST_TAKEN && oldest !== undefined) this.#taken.delete(oldest);
    return true;
  }

  // What concerns one message happens in order; a slow one does not hold up the others.
  #inOrder(name: string, work: () => Promise<void>): void {
    const { settings } = this.#place;
    this.#place.work.inOrder(`in ${name}`, work).catch((error: unknown) => settings.onError(error));
  }
}
