import type { InboxList } from './inbox-list.ts';
import { type ListLook, renderList } from './list-screen.ts';
import type { Key, Keypress, Screen } from './screen.ts';

/** How often the ages in the list are refreshed. */
const REFRESH_MS = 1_000;
/** The longest that a change waits to be drawn. */
const MOST_WAIT_MS = 250;

/** What the person wants from the list. `decide` is about what is marked. */
export type Picked = { open: string } | { decide: 'allow' | 'deny' | 'reason' } | { snooze: string } | 'keys' | 'leave';

/** What the list needs to be shown. */
export interface Picking {
  now: () => number;
  signal: AbortSignal;
  canSnooze: boolean;
  sizes: ListLook['sizes'];
}

const ENTER = ['return', 'enter'];

/** Shows the live list until the person wants something else, or the signal aborts. */
export async function pick(screen: Screen, list: InboxList, picking: Picking): Promise<Picked> {
  const { now, signal, canSnooze, sizes } = picking;
  if (signal.aborted) return 'leave';
  let isSearching = false;
  const draw = (): void => screen.draw(renderList(screen, list, { now: now(), isSearching, canSnooze, sizes }));
  let shown = toShown(list);
  let movedAt = Number.NEGATIVE_INFINITY;
  let changing: NodeJS.Timeout | undefined;
  let drawMs = 0;
  // Enter or a number means the row that the person saw, not one that has just taken its place. Gives whether another
  // row came under the cursor.
  const takeIn = (): boolean => {
    clearTimeout(changing);
    changing = undefined;
    const startedAt = performance.now();
    const before = shown;
    shown = toShown(list);
    if (shown.keys.slice(0, before.keys.length).join() !== before.keys.join()) movedAt = startedAt;
    const isOther = shown.keys.join() !== before.keys.join() && shown.hereKey !== before.hereKey;
    if (isOther) screen.restartGuard();
    draw();
    drawMs = performance.now() - startedAt;
    return isOther;
  };
  // Many changes at once, as at the start with a long list, are drawn together.
  const onChange = (): void => {
    changing ??= setTimeout(takeIn, Math.min(MOST_WAIT_MS, drawMs * 4));
  };
  const press = (key: Key, keypress: Keypress): Picked | null => {
    if (key.isCtrl && (key.name === 'c' || key.name === 'd')) return 'leave';
    // What the person saw has changed, and is not on the screen yet.
    if (changing !== undefined && takeIn()) return null;
    if (isSearching) {
      isSearching = type(list, key, keypress);
      if (!isSearching) screen.restartGuard();
      return null;
    }
    if (/^[1-9]$/.test(key.name)) {
      if (performance.now() - movedAt >= screen.momentMs) selectNumber(list, Number(key.name));
      return null;
    }
    if (key.name === '/') {
      isSearching = true;
      return null;
    }
    if (key.name === 's' && !canSnooze) return null;
    return toPicked(list, key) ?? move(list, key, screen.rows);
  };
  draw();
  return new Promise((resolve) => {
    const end = (picked: Picked): void => {
      stop();
      clearInterval(timer);
      clearTimeout(changing);
      signal.removeEventListener('abort', onAbort);
      list.onChange = () => undefined;
      resolve(picked);
    };
    const onAbort = (): void => end('leave');
    const stop = screen.listen((key, keypress) => {
      const picked = press(key, keypress);
      if (picked !== null) return end(picked);
      // What the person did themselves is drawn at once, and is no surprise to them.
      shown = toShown(list);
      clearTimeout(changing);
      changing = undefined;
      draw();
    }, draw);
    const timer = setInterval(draw, REFRESH_MS);
    list.onChange = onChange;
    signal.addEventListener('abort', onAbort);
  });
}

/** What a key asks for beyond moving around; `null`: nothing. */
function toPicked(list: InboxList, { name }: Key): Picked | null {
  const { here, marked } = list;
  if (name === 'q') return 'leave';
  if (name === '?') return 'keys';
  if (ENTER.includes(name) && here?.type === 'entry') return { open: here.key };
  if (name === 's' && here?.type === 'entry') return { snooze: here.key };
  // What is not marked must be opened: a headline is not what runs.
  if (marked.length === 0) return null;
  if (name === 'y') return { decide: 'allow' };
  if (name === 'n') return { decide: 'deny' };
  return name === 'r' ? { decide: 'reason' } : null;
}

function move(list: InboxList, { name }: Key, rows: number): null {
  const { selected, stops } = list;
  switch (name) {
    case 'return':
    case 'enter':
    case 'right':
      list.fold(false);
      break;
    case 'left':
      list.fold(true);
      break;
    case 'space':
      list.fold();
      break;
    case 'down':
    case 'j':
      list.select(selected + 1);
      break;
    case 'up':
    case 'k':
      list.select(selected - 1);
      break;
    case 'J':
      list.selectProject(1);
      break;
    case 'K':
      list.selectProject(-1);
      break;
    case 'pagedown':
      list.select(selected + rows - 4);
      break;
    case 'pageup':
      list.select(selected - rows + 4);
      break;
    case 'home':
      list.select(0);
      break;
    case 'end':
      list.select(stops.length - 1);
      break;
    case 'x':
      markHere(list);
      break;
    case 'a':
      if (list.here?.type === 'entry') list.markAlike(list.here.entry.interaction);
      break;
    case 'f':
      list.filterRisk();
      break;
    case 'escape':
      if (list.marked.length > 0) list.clearMarks();
      else {
        list.filterRisk('routine');
        list.search('');
      }
      break;
    default:
      break;
  }
  return null;
}

function selectNumber(list: InboxList, number: number): void {
  if (number <= list.stops.length) list.select(number - 1);
}

function markHere(list: InboxList): void {
  const { here } = list;
  if (here?.type !== 'entry') return;
  const { interaction } = here.entry;
  if (interaction.kind === 'approval') list.mark([interaction.id]);
  else list.notice({ text: '* Only approvals can be decided together.', style: 'yellow' });
}

/** Takes a key while the person types what they search for. `false`: they are done. */
function type(list: InboxList, { name, isCtrl }: Key, [text]: Keypress): boolean {
  if (ENTER.includes(name)) return false;
  if (name === 'escape') {
    list.search('');
    return false;
  }
  if (name === 'backspace') list.search(list.query.slice(0, -1));
  // Control characters are keys, not text.
  else if (!isCtrl && text !== undefined && /^[^\p{C}]+$/u.test(text)) list.search(list.query + text);
  return true;
}

function toShown(list: InboxList): { keys: string[]; hereKey: string | undefined } {
  return { keys: list.stops.map(({ key }) => key), hereKey: list.here?.key };
}
