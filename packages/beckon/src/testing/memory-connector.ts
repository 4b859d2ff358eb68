import type { AnswerResult } from '../core/beckon.ts';
import type { Connector, Inbound } from '../core/connector.ts';
import { describeStep } from '../presentation/names.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** Settings of a `MemoryConnector`. */
export interface MemoryConnectorOptions {
  /** Default `memory`. */
  name?: string;
  /** The chats that it reaches. Default: every chat. */
  chats?: readonly string[];
}

/** A connector whose people are the test itself: what they see can be read, and what they do is a call. */
export class MemoryConnector implements Connector {
  readonly name: string;
  /** Every interaction that was shown, in order; one that is shown again is here again. */
  readonly shown: Interaction[] = [];
  /** Every settled interaction whose copies were repainted, in order. */
  readonly settled: Interaction[] = [];
  /** Every text that was said in a chat, in order. */
  readonly prompts: { chatId: string; text: string }[] = [];
  /** Called before each send. It may throw, or wait, as a network does. */
  beforeSend: () => void | Promise<void> = () => undefined;
  readonly #chats: readonly string[] | undefined;
  #inbound: Inbound | undefined;

  constructor({ name = 'memory', chats }: MemoryConnectorOptions = {}) {
    this.name = name;
    this.#chats = chats;
  }

  /** Whether it takes answers. */
  get isStarted(): boolean {
    return this.#inbound !== undefined;
  }

  reaches(chatId: string): boolean {
    return this.#chats?.includes(chatId) ?? true;
  }

  async start(inbound: Inbound): Promise<void> {
    await this.beforeSend();
    this.#inbound = inbound;
  }

  async show(interaction: Interaction): Promise<void> {
    await this.beforeSend();
    this.shown.push(interaction);
  }

  async settle(interaction: Interaction): Promise<void> {
    await this.beforeSend();
    this.settled.push(interaction);
  }

  async prompt(chatId: string, text: string): Promise<void> {
    await this.beforeSend();
    this.prompts.push({ chatId, text });
  }

  async stop(): Promise<void> {
    this.#inbound = undefined;
  }

  /** The person answers. */
  answer(id: string, answer: AnswerInput, who: string): Promise<AnswerResult> {
    return this.#started().answer(id, answer, who);
  }

  /** The person types. Gives what they read then, or `null` where the text was not for Beckon. */
  say(chatId: string, text: string, who: string): Promise<string | null> {
    return this.#started().say(chatId, text, who);
  }

  /** The chat as the person sees it: each copy once, repainted where it has ended, then what was said. */
  seen(chatId: string): string {
    const copies = new Map(this.shown.map((interaction) => [interaction.id, interaction]));
    for (const interaction of this.settled) if (copies.has(interaction.id)) copies.set(interaction.id, interaction);
    const inChat = [...copies.values()].filter((interaction) => interaction.chatId === chatId);
    const texts = this.prompts.filter((prompt) => prompt.chatId === chatId).map(({ text }) => text);
    return [...inChat.map(paint), ...texts].join('\n');
  }

  #started(): Inbound {
    if (this.#inbound === undefined) throw new Error(`The connector ${this.name} was not started`);
    return this.#inbound;
  }
}

function paint(interaction: Interaction): string {
  const { status, answeredBy, reason } = interaction;
  const what = `${toVisibleLine(JSON.stringify(interaction.request))}${toStep(interaction)}`;
  switch (status) {
    case 'pending':
      return what;
    case 'answered':
      return `${what}: answered by ${answeredBy?.who} via ${answeredBy?.claim?.via ?? answeredBy?.via}`;
    case 'expired':
    case 'cancelled':
    case 'superseded':
      return `${what}: ${status}${reason === undefined ? '' : ` (${reason})`}`;
  }
}

function toStep(interaction: Interaction): string {
  const step = describeStep(interaction);
  return step === '' ? '' : ` (${step})`;
}
