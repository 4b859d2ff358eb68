import { readIfThere, writePrivateFile } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type Interaction, KINDS, type Kind } from '../../protocol/interaction.ts';
import { newKey } from './button-data.ts';
import { toLabels } from './choices.ts';

/** One interaction as it is shown in one Telegram chat. */
export interface Copy {
  readonly id: string;
  readonly chat: number;
  readonly key: string;
  readonly kind: Kind;
  /** What the buttons of a question say, so that one pressed right after a restart is understood. */
  readonly labels: readonly string[];
  /** The messages that show it, in order. The last one has the buttons when all were sent. */
  messages: number[];
  /** Messages that were sent although the reply to the send was lost; a press told us of them. */
  strays: number[];
  /** Whether the reply to a send was lost, so that a message may be there that we do not know. */
  mayHaveStrays: boolean;
  /** The options marked so far. */
  chosen: number[];
  isClosed: boolean;
  /** When its buttons came in sight, by `performance.now()`. Not in the file: after a restart that is long ago. */
  shownAt?: number;
  /** The interaction as last heard of. Not in the file: after a restart it comes with the next `show`. */
  interaction?: Interaction;
}

/** Closed copies are kept for a while, so that a late press hears who won. */
const MOST_CLOSED = 500;

/** Knows which messages show what, and keeps it in a file where there is one. */
export class Copies {
  readonly #file: string | undefined;
  readonly #copies = new Map<string, Copy>();

  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Reads the file. Throws where it is not one of ours, rather than write over it. */
  load(): void {
    const text = this.#file === undefined ? undefined : readIfThere(this.#file);
    if (text === undefined) return;
    for (const copy of parseFile(this.#file ?? '', text)) this.#copies.set(copy.id, copy);
  }

  /** The copy of an interaction; a new one where there is none. */
  of(interaction: Interaction, chat: number): Copy {
    const known = this.#copies.get(interaction.id);
    const copy: Copy =
      known?.chat === chat
        ? known
        : {
            id: interaction.id,
            chat,
            key: newKey(),
            kind: interaction.kind,
            labels: toLabels(interaction),
            messages: [],
            strays: [],
            mayHaveStrays: false,
            chosen: [],
            isClosed: false,
          };
    this.#copies.set(copy.id, copy);
    copy.interaction = interaction;
    return copy;
  }

  get(id: string): Copy | undefined {
    return this.#copies.get(id);
  }

  /** The interactions with a message that does not say how they ended. */
  listOpen(): string[] {
    return [...this.#copies.values()].flatMap(({ id, isClosed }) => (isClosed ? [] : [id]));
  }

  findByKey(key: string): Copy | undefined {
    return this.#find((copy) => copy.key === key);
  }

  findByMessage(chat: number, message: number): Copy | undefined {
    return this.#find(
      (copy) => copy.chat === chat && (copy.messages.includes(message) || copy.strays.includes(message)),
    );
  }

  /** Whether the chat has something open that was sent after a message: the numbers of messages grow within a chat. */
  hasOpenAfter(chat: number, message: number): boolean {
    return (
      this.#find((copy) => copy.chat === chat && !copy.isClosed && (copy.messages.at(-1) ?? 0) > message) !== undefined
    );
  }

  /** Keeps what was changed. Readers of the file see the old state or the new one, never a part. */
  save(): void {
    const closed = [...this.#copies.values()].filter(({ isClosed }) => isClosed);
    for (const { id } of closed.slice(0, -MOST_CLOSED)) this.#copies.delete(id);
    if (this.#file === undefined) return;
    const copies = [...this.#copies.values()].map((copy) => ({ ...copy, interaction: undefined, shownAt: undefined }));
    writePrivateFile(this.#file, `${JSON.stringify({ beckonTelegram: 1, copies })}\n`);
  }

  #find(matches: (copy: Copy) => boolean): Copy | undefined {
    for (const copy of this.#copies.values()) if (matches(copy)) return copy;
    return undefined;
  }
}

function parseFile(file: string, text: string): Copy[] {
  try {
    const state = JSON.parse(text) as { beckonTelegram?: unknown; copies?: unknown };
    if (state.beckonTelegram === 1 && Array.isArray(state.copies) && state.copies.every(isCopy)) return state.copies;
  } catch {
    // Not JSON at all: the same fault as any other content.
  }
  throw new BeckonError(
    'invalid_input',
    `Expected the state of the Telegram connector in ${file}, got something else. Name another file, or delete this one: what is pending is then sent once more.`,
  );
}

function isCopy(value: unknown): value is Copy {
  const copy = (value ?? {}) as Partial<Record<keyof Copy, unknown>>;
  const lists = [copy.messages, copy.strays, copy.chosen];
  return (
    typeof copy.id === 'string' &&
    typeof copy.key === 'string' &&
    typeof copy.chat === 'number' &&
    KINDS.includes(copy.kind as Kind) &&
    Array.isArray(copy.labels) &&
    copy.labels.every((label) => typeof label === 'string') &&
    lists.every((list) => Array.isArray(list) && list.every(Number.isSafeInteger))
  );
}
