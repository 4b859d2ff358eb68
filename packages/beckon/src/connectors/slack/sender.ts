import type { Context } from '../../protocol/context.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { toGrowingMs } from '../../timing/backoff.ts';
import { sealButton } from '../shared/button-data.ts';
import { toEarlierLines } from '../shared/request-text.ts';
import { gatherSurroundings } from '../shared/surroundings.ts';
import { pauseUntilStop } from '../shared/tries.ts';
import type { Work } from '../shared/work.ts';
import { toControls } from './choices.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import { isTooLong } from './errors.ts';
import { type MessageContent, type Rendered, render, toSaying, withoutControls } from './render.ts';
import type { Settings } from './settings.ts';
import type { SlackApi } from './web-api.ts';
import { toMs } from './wire.ts';

/** How often a file is looked for in its thread. */
const LOOKS = 8;
const LOOK_PAUSES = { firstMs: 100, longestMs: 2000 };
/** A message whose reply was lost is looked for from a little before it was posted: clocks differ. */
const LOST_MARGIN_MS = 60_000;

/** What a sender needs. */
export interface SenderOptions {
  settings: Settings;
  api: SlackApi;
  deliveries: Deliveries;
  /** Everything that surrounds an interaction. */
  readContext: (id: string) => Promise<Context | null>;
  work: Work;
  signal: AbortSignal;
  /** Called when the message of a lost post was found: somebody may have written in its thread. */
  onFound: (delivery: Delivery) => void;
}

/** Everything that the app writes into channels. What concerns one interaction happens in order. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Posts or repaints the delivery of an interaction. A step of a call takes the message of the one before it. */
  async show(interaction: Interaction, channel: string, earlier: readonly Interaction[] = []): Promise<void> {
    const delivery = this.#options.deliveries.of(interaction, channel);
    delivery.earlier = toEarlierLines(earlier);
    await this.#inOrder(delivery, () => this.#fitting(delivery, () => this.#paint(delivery, interaction)));
  }

  /** Says in the delivery of an interaction how it ended, and takes its controls away. */
  async settle(interaction: Interaction): Promise<void> {
    const delivery = this.#options.deliveries.get(interaction.id);
    if (delivery === undefined) return;
    // A `show` that still waits for Slack sees this, and posts nothing more.
    delivery.interaction = interaction;
    await this.#inOrder(delivery, () => this.#fitting(delivery, () => this.#close(delivery, interaction)));
  }

  /** Shows the second step of allowing what is dangerous, or the first one again. Presses count after a moment. */
  async repaint(delivery: Delivery): Promise<void> {
    const { api, deliveries } = this.#options;
    await this.#inOrder(delivery, async () => {
      const { channel, interaction, ts } = delivery;
      if (delivery.isClosed || interaction?.status !== 'pending' || ts === undefined) return;
      const content = await this.#render(delivery, interaction);
      for (const message of [ts, ...delivery.strays]) {
        noteChange(delivery, (await api.update(channel, message, content))?.at ?? api.now());
      }
      deliveries.save();
    });
  }

  /** Says something that is no interaction: in the thread of a message, or in the channel. */
  async say(channel: string, text: string, { thread, isForAll = false }: SayOptions = {}): Promise<void> {
    await this.#options.api.post(channel, toSaying(text), thread === undefined ? {} : { thread, isForAll });
  }

  /** Says something to one person alone. */
  async whisper(channel: string, user: string, text: string, thread?: string): Promise<void> {
    await this.#options.api.whisper(channel, user, toSaying(text), thread);
  }

  /** Resolves when what is being posted or repainted for a delivery is done. */
  whenIdle(delivery: Delivery): Promise<void> {
    return this.#inOrder(delivery, () => Promise.resolve());
  }

  // Posts what was not posted yet, so a show that failed half-way goes on where it was. Where all is there, it
  // repaints.
  async #paint(delivery: Delivery, interaction: Interaction): Promise<void> {
    const { api, deliveries } = this.#options;
    if (delivery.isClosed) return;
    const content = await this.#render(delivery, interaction);
    if (delivery.ts === undefined && (await this.#takeOver(delivery, content))) return;
    if (delivery.ts === undefined) await this.#findLost(delivery);
    const isWhole = content.file === undefined || delivery.hasFile === true;
    const face = isWhole ? content : withoutControls(content);
    const isThere = delivery.ts !== undefined && (await api.update(delivery.channel, delivery.ts, face)) !== null;
    if (!isThere) {
      // Somebody deleted it, so this is not a second question.
      delete delivery.ts;
      delete delivery.hasFile;
      if (delivery.interaction?.status !== 'pending') return;
      delivery.isPartial = content.file !== undefined;
      await this.#post(delivery, content.file === undefined ? content : withoutControls(content));
    }
    const { channel, ts } = delivery;
    if (content.file === undefined || delivery.hasFile === true || ts === undefined) return;
    await this.#shareFile(delivery, ts, content.file);
    if (delivery.interaction?.status !== 'pending') return;
    noteChange(delivery, (await api.update(channel, ts, content))?.at ?? api.now());
    delivery.isPartial = false;
    deliveries.save();
  }

  async #post(delivery: Delivery, content: MessageContent): Promise<void> {
    const { api, deliveries } = this.#options;
    // Kept before the post: a process that dies before it hears of the message looks for it then.
    const isFirst = delivery.lostSince === undefined;
    let isLost = false;
    delivery.lostSince ??= api.now();
    deliveries.save();
    try {
      const onLost = (): void => {
        isLost = true;
      };
      delivery.ts = await api.post(delivery.channel, content, { onLost });
      delivery.shownAt = toMs(delivery.ts);
    } finally {
      if (isFirst && !isLost) delete delivery.lostSince;
      deliveries.save();
    }
  }

  /** Finds the message of a post whose reply was lost, so that nobody is asked twice. */
  async #findLost(delivery: Delivery): Promise<void> {
    const { api, deliveries, onFound } = this.#options;
    const { channel, key, lostSince } = delivery;
    if (lostSince === undefined) return;
    const messages = await api.history(channel, lostSince - LOST_MARGIN_MS).catch((error: unknown) => {
      // An app that may not read the channel can still post.
      if (error instanceof BeckonError && error.code === 'invalid_input') return [];
      throw error;
    });
    const found = messages.find(({ blocks = [] }) =>
      blocks.some(({ block_id = '' }) => block_id.startsWith(`${key}.`)),
    );
    if (found === undefined) return;
    delivery.ts = found.ts;
    delivery.shownAt = toMs(found.ts);
    deliveries.save();
    onFound(delivery);
  }

  /** Shows a step in the message of the step before it, so that a call is one message in the channel. */
  async #takeOver(delivery: Delivery, content: Rendered): Promise<boolean> {
    const { api, deliveries } = this.#options;
    const before = deliveries.findStepBefore(delivery);
    if (before?.ts === undefined || content.file !== undefined) return false;
    const updated = await api.update(delivery.channel, before.ts, content);
    // Its controls are gone, and so is what it asked.
    before.isClosed = true;
    if (updated === null) return false;
    delivery.ts = before.ts;
    delivery.beganAt = updated.at;
    noteChange(delivery, updated.at);
    deliveries.save();
    return true;
  }

  /** Puts the whole text into the thread, and returns when people can see it there. */
  async #shareFile(delivery: Delivery, ts: string, file: { name: string; text: string }): Promise<void> {
    const { api, deliveries, signal } = this.#options;
    const isThere = async (): Promise<boolean> => {
      const replies = await api.replies(delivery.channel, ts);
      return replies.some((reply) => api.isOwn(reply) && reply.files?.some(({ name }) => name === file.name) === true);
    };
    // An earlier try may have got this far.
    if (!(await isThere())) {
      await api.upload(delivery.channel, ts, file);
      for (let looks = 1; !(await isThere()); looks += 1) {
        if (looks === LOOKS) throw new BeckonError('unreachable', `Slack did not show ${file.name} in the thread.`);
        await pauseUntilStop(toGrowingMs(looks, LOOK_PAUSES), signal);
      }
    }
    delivery.hasFile = true;
    deliveries.save();
  }

  async #close(delivery: Delivery, interaction: Interaction): Promise<void> {
    const { api, deliveries } = this.#options;
    if (delivery.second !== undefined) delivery.second.by = null;
    // The press that settled it has closed it already.
    if (delivery.isClosed && delivery.strays.length === 0) return;
    if (delivery.ts === undefined) await this.#findLost(delivery);
    const content = await this.#render(delivery, interaction);
    const shown = delivery.isClosed || delivery.ts === undefined ? [] : [delivery.ts];
    for (const message of [...shown, ...delivery.strays]) await api.update(delivery.channel, message, content);
    delivery.strays = [];
    delivery.isClosed = true;
    deliveries.save();
  }

  async #render(delivery: Delivery, interaction: Interaction): Promise<Rendered> {
    const { settings, readContext } = this.#options;
    const { key, id, channel, second } = delivery;
    const pageUrl = settings.pageUrl === '' ? '' : `${settings.pageUrl}/i/${id}`;
    const controls = toControls(interaction, {
      key,
      seal: (choice) => sealButton(settings.secret, { key, chat: channel, interactionId: id, choice }),
      second: { round: second?.round ?? 0, isAsking: second?.by != null },
      pageUrl,
    });
    return render(interaction, {
      surroundings: await gatherSurroundings(delivery, interaction, readContext),
      controls,
      blockId: `${key}.text`,
      hasPage: pageUrl !== '',
      isLong: delivery.isLong === true,
    });
  }

  // Slack does not say how long a message may be.
  async #fitting(delivery: Delivery, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isTooLong(error) || delivery.isLong === true) throw error;
      delivery.isLong = true;
      await work();
    }
  }

  // The steps of a call share a message, so what concerns them happens in order too.
  #inOrder({ id, call = id }: Delivery, work: () => Promise<void>): Promise<void> {
    return this.#options.work.inOrder(call, work);
  }
}

/** Notes that the buttons of a delivery changed, at an instant by Slack's clock. */
function noteChange(delivery: Delivery, at: number): void {
  delivery.shownAt = at;
  delivery.changedAt = performance.now();
}

/** Where something is said. */
export interface SayOptions {
  /** The message whose thread it is said in. */
  thread?: string | undefined;
  /** Whether it is shown in the channel as well. */
  isForAll?: boolean;
}
