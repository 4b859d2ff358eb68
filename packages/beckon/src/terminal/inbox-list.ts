import { describeOutcome } from '../presentation/describe-outcome.ts';
import { toHeadline } from '../presentation/headline.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** How many remarks the list keeps. */
const NOTICES = 3;

/** What a terminal shows: pending interactions, oldest first, and the last remarks. The selection survives changes. */
export class InboxList {
  readonly #items = new Map<string, Interaction>();
  readonly #notices: string[] = [];
  #selectedId: string | undefined;
  /** Called after each change. */
  onChange: () => void = () => undefined;

  get items(): readonly Interaction[] {
    return [...this.#items.values()].sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
  }

  get notices(): readonly string[] {
    return this.#notices;
  }

  /** The index of the selected item; the first if none is selected. */
  get selected(): number {
    const index = this.items.findIndex(({ id }) => id === this.#selectedId);
    return Math.max(0, index);
  }

  get(id: string): Interaction | undefined {
    return this.#items.get(id);
  }

  put(interaction: Interaction): void {
    this.#items.set(interaction.id, interaction);
    this.onChange();
  }

  /** Removes an interaction. If it was selected, the one that takes its place is selected. */
  remove(id: string): void {
    const index = this.items.findIndex((item) => item.id === id);
    if (index === -1) return;
    this.#items.delete(id);
    const { items } = this;
    if (this.#selectedId === id) this.#selectedId = items[Math.min(index, items.length - 1)]?.id;
    this.onChange();
  }

  /** Selects the item at an index; beyond the ends, the first or the last. */
  select(index: number): void {
    const { items } = this;
    this.#selectedId = items[Math.min(Math.max(0, index), items.length - 1)]?.id;
    this.onChange();
  }

  /** Adds a remark, ready for a terminal. */
  notice(text: string): void {
    this.#notices.push(text);
    if (this.#notices.length > NOTICES) this.#notices.shift();
    this.onChange();
  }
}

/** What was asked, and how it ended: "Lunch? - Answered by ada in Telegram: yes". */
export function toClosing(interaction: Interaction): string {
  return `${toHeadline(interaction, 40)} - ${describeOutcome(interaction)}`;
}

/** A remark about a chat. */
export function toChatNotice(chatId: string, text: string): string {
  return `${toVisibleLine(chatId, undefined, 'code')}: ${toVisibleLine(text)}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
