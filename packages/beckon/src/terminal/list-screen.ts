import stringWidth from 'fast-string-width';
import { toHeadline } from '../presentation/headline.ts';
import { toKindText } from '../presentation/names.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import { describeAsker } from '../presentation/who.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { InboxList } from './inbox-list.ts';
import type { Key, Screen } from './screen.ts';
import { cut } from './text-layout.ts';

/** Each item has a line for what is asked and one for the rest. */
const ITEM_ROWS = 2;
/** Narrower screens leave words out. */
const NARROW = 50;
/** How often the ages in the list are refreshed. */
const REFRESH_MS = 1_000;

/** What the person wants: to open an item, or to quit. */
export type Picked = { open: string } | 'leave';

/** Shows the live list until the person opens an item or quits, or the signal aborts. */
export async function pick(
  screen: Screen,
  list: InboxList,
  options: { now: () => number; signal: AbortSignal },
): Promise<Picked> {
  const { now, signal } = options;
  if (signal.aborted) return 'leave';
  const draw = (): void => screen.draw(renderList(screen, list, now()));
  let shown = toShown(list);
  let movedAt = Number.NEGATIVE_INFINITY;
  // Enter or a number means the row that the person saw, not one that has just taken its place.
  const onChange = (): void => {
    const before = shown;
    shown = toShown(list);
    if (shown.ids.slice(0, before.ids.length).join() !== before.ids.join()) movedAt = performance.now();
    if (shown.ids.join() !== before.ids.join() && shown.selectedId !== before.selectedId) screen.restartGuard();
    draw();
  };
  draw();
  return new Promise((resolve) => {
    const end = (picked: Picked): void => {
      stop();
      clearInterval(timer);
      signal.removeEventListener('abort', onAbort);
      list.onChange = () => undefined;
      resolve(picked);
    };
    const onAbort = (): void => end('leave');
    const stop = screen.listen((key) => {
      if (/^[1-9]$/.test(key.name) && performance.now() - movedAt < screen.momentMs) return;
      const picked = press(list, key, toCapacity(screen, list));
      if (picked !== null) end(picked);
    }, draw);
    const timer = setInterval(draw, REFRESH_MS);
    list.onChange = onChange;
    signal.addEventListener('abort', onAbort);
  });
}

/** The lines of the list, fitted to the screen. */
export function renderList(screen: Screen, list: InboxList, now: number): string[] {
  const { items, selected } = list;
  const title = `Beckon inbox: ${items.length === 0 ? 'nothing waiting' : `${items.length} waiting`}`;
  const capacity = toCapacity(screen, list);
  const top = Math.min(Math.max(0, selected - capacity + 1), Math.max(0, items.length - capacity));
  const shown = items.slice(top, top + capacity);
  const rows = shown.flatMap((item, index) => renderItem(screen, item, top + index, top + index === selected, now));
  const below = items.length - top - shown.length;
  const hidden = [...(top > 0 ? [`${top} above`] : []), ...(below > 0 ? [`${below} below`] : [])].join(', ');
  return [
    screen.line(title, 'bold'),
    '',
    ...rows,
    screen.line(hidden, 'dim'),
    ...list.notices.map((notice) => screen.line(`* ${notice}`, 'yellow')),
    screen.line(items.length === 0 ? 'q quits' : 'up/down or 1-9 select · enter opens · q quits', 'dim'),
  ];
}

/** A time span in its largest unit: `12s`, `3m`, `2h`, `4d`. */
export function toSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

function renderItem(screen: Screen, item: Interaction, index: number, isSelected: boolean, now: number): string[] {
  const mark = `${isSelected ? '>' : ' '}${String(index + 1).padStart(2)} `;
  const { createdAt, expiresAt } = item;
  const left = expiresAt === undefined ? 'no deadline' : `${toSpan(Date.parse(expiresAt) - now)} left`;
  const kind = item.awaitingFeedback ? 'Plan, needs feedback' : toKindText(item);
  const age = `${toSpan(now - Date.parse(createdAt))}${screen.columns < NARROW ? '' : ' old'}`;
  const facts = [kind, age, left];
  const room = screen.columns - facts.join(' · ').length - 11;
  const asker = cut(describeAsker(item), Math.max(6, room - 6));
  const chat = cut(toVisibleLine(item.chatId, undefined, 'code'), Math.max(6, room - stringWidth(asker)));
  return [
    screen.line(`${mark}${toHeadline(item, 400)}`, isSelected ? 'inverse' : undefined),
    screen.line(`    ${[kind, asker, chat, ...facts.slice(1)].join(' · ')}`, 'dim'),
  ];
}

function toShown({ items, selected }: InboxList): { ids: string[]; selectedId: string | undefined } {
  return { ids: items.map(({ id }) => id), selectedId: items[selected]?.id };
}

/** How many items fit beside the title, the remarks and the line of keys. */
function toCapacity(screen: Screen, list: InboxList): number {
  return Math.max(1, Math.floor((screen.rows - 4 - list.notices.length) / ITEM_ROWS));
}

function press(list: InboxList, { name, isCtrl }: Key, capacity: number): Picked | null {
  if ((isCtrl && (name === 'c' || name === 'd')) || name === 'q') return 'leave';
  const { items, selected } = list;
  if (/^[1-9]$/.test(name)) {
    if (Number(name) <= items.length) list.select(Number(name) - 1);
    return null;
  }
  switch (name) {
    case 'return':
    case 'enter':
      return toOpen(items[selected]);
    case 'down':
    case 'j':
      list.select(selected + 1);
      return null;
    case 'up':
    case 'k':
      list.select(selected - 1);
      return null;
    case 'pagedown':
      list.select(selected + capacity);
      return null;
    case 'pageup':
      list.select(selected - capacity);
      return null;
    case 'home':
      list.select(0);
      return null;
    case 'end':
      list.select(items.length - 1);
      return null;
    default:
      return null;
  }
}

function toOpen(item: Interaction | undefined): Picked | null {
  return item === undefined ? null : { open: item.id };
}
