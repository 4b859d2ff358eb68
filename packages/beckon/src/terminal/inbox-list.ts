import { toAlikeKey } from '../presentation/alike-key.ts';
import {
  groupPending,
  type PendingEntry,
  type PendingProject,
  type PendingSession,
} from '../presentation/group-pending.ts';
import { toHeadline } from '../presentation/headline.ts';
import { toStep } from '../presentation/names.ts';
import { describePlace, toPlace } from '../presentation/place.ts';
import { describeAsker } from '../presentation/who.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { RISK_LEVELS, type RiskLevel } from '../protocol/risk.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import type { Notice } from './closing.ts';

/** How many remarks the list keeps. */
const NOTICES = 3;

/** One row of the list. The cursor rests on entries, and on projects that are folded. */
export type Row =
  | { type: 'project'; key: string; project: PendingProject; isFolded: boolean }
  | { type: 'session'; session: PendingSession }
  | { type: 'entry'; key: string; entry: PendingEntry; session: PendingSession; project: PendingProject };

/** A row that the cursor can rest on. */
export type Stop = Exclude<Row, { type: 'session' }>;

/**
 * What a terminal shows: pending requests by project and session, and the last remarks. The cursor, the marks and what
 * is folded survive changes.
 */
export class InboxList {
  readonly #items = new Map<string, Interaction>();
  readonly #notices: Notice[] = [];
  readonly #folded = new Set<string>();
  readonly #marked = new Set<string>();
  /** Until when requests are hidden here, in milliseconds since 1970. */
  #hidden: ReadonlyMap<string, number> = new Map();
  readonly #now: () => number;
  #titles: ReadonlyMap<string, string> = new Map();
  #query = '';
  /** The least risk that is shown. */
  #least: RiskLevel = 'routine';
  /** Requests do not change, so each is assessed once. */
  readonly #risks = new Map<string, RiskLevel>();
  #cursor: string | undefined;
  #rows: readonly Row[] | null = null;
  /** When the next hidden request appears. */
  #changesAt = Number.POSITIVE_INFINITY;
  /** Called after each change. */
  onChange: () => void = () => undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get rows(): readonly Row[] {
    if (this.#rows === null || this.#now() >= this.#changesAt) this.#rows = this.#toRows();
    return this.#rows;
  }

  /** The rows that the cursor can rest on. */
  get stops(): readonly Stop[] {
    return this.rows.filter(isStop);
  }

  /** How many requests wait; the questions of one call count once. */
  get count(): number {
    return this.rows.reduce((sum, row) => (row.type === 'project' ? sum + row.project.count : sum), 0);
  }

  /** How many are hidden until later. */
  get hiddenCount(): number {
    return [...this.#items.keys()].filter((id) => this.#isHidden(id)).length;
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  get titles(): ReadonlyMap<string, string> {
    return this.#titles;
  }

  get query(): string {
    return this.#query;
  }

  /** The least risk that is shown. */
  get least(): RiskLevel {
    return this.#least;
  }

  /** How many of those that wait are dangerous. */
  get dangerousCount(): number {
    return this.#entries().filter(({ interaction }) => this.riskOf(interaction) === 'dangerous').length;
  }

  /** How much care a request needs. */
  readonly riskOf = (interaction: Interaction): RiskLevel => {
    const known = this.#risks.get(interaction.id);
    if (known !== undefined) return known;
    const { level } = assessRisk(interaction);
    this.#risks.set(interaction.id, level);
    return level;
  };

  /** The row under the cursor; the first if it is on none. */
  get here(): Stop | undefined {
    const { stops } = this;
    return stops.find(({ key }) => key === this.#cursor) ?? stops[0];
  }

  /** The index of the cursor among the stops. */
  get selected(): number {
    return Math.max(
      0,
      this.stops.findIndex(({ key }) => key === this.#cursor),
    );
  }

  /** The marked requests, in the order of the list. */
  get marked(): readonly Interaction[] {
    return this.#entries().flatMap(({ interaction }) => (this.#marked.has(interaction.id) ? [interaction] : []));
  }

  get(id: string): Interaction | undefined {
    return this.#items.get(id);
  }

  /** The entry of a row; `undefined` if it is gone. */
  find(key: string): PendingEntry | undefined {
    const row = this.rows.find((one) => one.type === 'entry' && one.key === key);
    return row?.type === 'entry' ? row.entry : undefined;
  }

  put(interaction: Interaction): void {
    this.#items.set(interaction.id, interaction);
    this.#change();
  }

  /** Removes a request. If the cursor was on it, it goes to the one that comes next. */
  remove(id: string): void {
    const row = this.rows.find((one) => one.type === 'entry' && one.entry.steps.some((step) => step.id === id));
    const isLast = row?.type === 'entry' && row.entry.steps.length === 1;
    const next = isLast && this.here?.key === row.key ? this.findNext(row.key) : undefined;
    if (!this.#items.delete(id)) return;
    this.#marked.delete(id);
    this.#risks.delete(id);
    if (next !== undefined) this.#cursor = next;
    this.#change();
  }

  /** Selects the row at an index; beyond the ends, the first or the last. */
  select(index: number): void {
    const { stops } = this;
    this.#cursor = stops[Math.min(Math.max(0, index), stops.length - 1)]?.key;
    this.#change();
  }

  /** Selects a row, if it is there. */
  selectKey(key: string): void {
    this.#cursor = key;
    this.#change();
  }

  /** Moves the cursor to the first row of the next or the previous project. */
  selectProject(by: 1 | -1): void {
    const { stops, here } = this;
    const keys = [...new Set(stops.map(toProjectKey))];
    const to = here === undefined ? undefined : keys[keys.indexOf(toProjectKey(here)) + by];
    const target = stops.find((stop) => toProjectKey(stop) === to);
    if (target !== undefined) this.selectKey(target.key);
  }

  /** Folds or unfolds the project under the cursor. */
  fold(isFolded?: boolean): void {
    const { here } = this;
    if (here === undefined) return;
    const key = toProjectKey(here);
    const next = isFolded ?? !this.#folded.has(key);
    if (next) this.#folded.add(key);
    else this.#folded.delete(key);
    this.#rows = null;
    const target = this.stops.find((stop) => toProjectKey(stop) === key);
    this.#cursor = next ? key : here.type === 'entry' ? here.key : target?.key;
    this.#change();
  }

  isMarked(id: string): boolean {
    return this.#marked.has(id);
  }

  /** Marks requests, or takes the marks away if all of them have one. */
  mark(ids: readonly string[]): void {
    const isOn = ids.every((id) => this.#marked.has(id));
    for (const id of ids) {
      if (isOn) this.#marked.delete(id);
      else this.#marked.add(id);
    }
    this.#change();
  }

  /** Marks every approval like this one. */
  markAlike(interaction: Interaction): void {
    const ids = this.findAlike(interaction);
    if (ids.some((id) => !this.#marked.has(id))) this.mark(ids);
  }

  clearMarks(): void {
    this.#marked.clear();
    this.#change();
  }

  /** Shows only what has every word of the text in it. */
  search(query: string): void {
    this.#query = query;
    this.#change();
  }

  /** Shows only what has this risk or a graver one; without a level, the next one in turn. */
  filterRisk(least?: RiskLevel): void {
    this.#least = least ?? RISK_LEVELS[(RISK_LEVELS.indexOf(this.#least) + 1) % RISK_LEVELS.length] ?? 'routine';
    this.#change();
  }

  /** Hides requests until a time, each its own. Replaces what was hidden before. */
  hide(until: ReadonlyMap<string, number>): void {
    this.#hidden = until;
    this.#change();
  }

  /** The titles that people gave to sessions, ready for a terminal. */
  entitle(titles: ReadonlyMap<string, string>): void {
    this.#titles = titles;
    this.#change();
  }

  /** The approvals like this one that are in the list, with itself, in its order. */
  findAlike(interaction: Interaction): readonly string[] {
    const key = toAlikeKey(interaction);
    if (key === null) return [];
    return this.#entries().flatMap((entry) => (toAlikeKey(entry.interaction) === key ? [entry.interaction.id] : []));
  }

  /** Adds a remark. */
  notice(notice: Notice): void {
    this.#notices.push(notice);
    if (this.#notices.length > NOTICES) this.#notices.shift();
    this.#change();
  }

  /** The entry that comes after another: of the same session, else of the same project, else any. */
  findNext(key: string): string | undefined {
    const entries = this.rows.filter((row) => row.type === 'entry');
    const at = entries.findIndex((row) => row.key === key);
    const from = entries[at];
    if (from === undefined) return entries[0]?.key;
    const inOrder = [...entries.slice(at + 1), ...entries.slice(0, at).toReversed()];
    const found =
      inOrder.find(({ session }) => session.key === from.session.key) ??
      inOrder.find(({ project }) => project.key === from.project.key) ??
      inOrder[0];
    return found?.key;
  }

  /** The entry right after or before another in the list. */
  findBeside(key: string, by: 1 | -1): string | undefined {
    const entries = this.rows.filter((row) => row.type === 'entry');
    return entries[entries.findIndex((row) => row.key === key) + by]?.key;
  }

  /** Every entry that is shown or folded. */
  #entries(): PendingEntry[] {
    return this.rows.flatMap((row) =>
      row.type === 'project' ? row.project.sessions.flatMap(({ entries }) => entries) : [],
    );
  }

  #toRows(): Row[] {
    const now = this.#now();
    const later = [...this.#hidden.values()].filter((until) => until > now);
    this.#changesAt = Math.min(Number.POSITIVE_INFINITY, ...later);
    const shown = [...this.#items.values()].filter((item) => !this.#isHidden(item.id));
    const words = this.#query.toLowerCase().split(/\s+/).filter(Boolean);
    const least = RISK_LEVELS.indexOf(this.#least);
    const found = shown.filter(
      (item) => RISK_LEVELS.indexOf(this.riskOf(item)) >= least && (words.length === 0 || hasWords(item, words)),
    );
    return groupPending(found, { titles: this.#titles, riskOf: this.riskOf }).flatMap((project): Row[] => {
      const isFolded = this.#folded.has(project.key);
      const head: Row = { type: 'project', key: project.key, project, isFolded };
      return isFolded ? [head] : [head, ...project.sessions.flatMap((session) => toSessionRows(session, project))];
    });
  }

  #isHidden(id: string): boolean {
    return (this.#hidden.get(id) ?? 0) > this.#now();
  }

  #change(): void {
    this.#rows = null;
    this.onChange();
  }
}

/** The name of an entry's row. The questions of one call keep theirs while they are answered. */
function toEntryKey({ interaction }: PendingEntry): string {
  const { id, groupId, chatId } = interaction;
  return groupId === undefined || toStep(interaction) === null ? id : JSON.stringify([chatId, groupId]);
}

// A project is what an agent says, so who asked stands below it. Without one, the project is who asked.
function toSessionRows(session: PendingSession, project: PendingProject): Row[] {
  const [first] = session.entries;
  const isKnown = first === undefined || toPlace(first.interaction).project === undefined;
  const hasHead = session.title !== undefined || !isKnown || project.sessions.length > 1;
  return [
    ...(hasHead ? [{ type: 'session', session } as const] : []),
    ...session.entries.map((entry) => ({ type: 'entry', key: toEntryKey(entry), entry, session, project }) as const),
  ];
}

function isStop(row: Row): row is Stop {
  return row.type === 'entry' || (row.type === 'project' && row.isFolded);
}

function toProjectKey(stop: Stop): string {
  return stop.project.key;
}

function hasWords(interaction: Interaction, words: readonly string[]): boolean {
  const { context, chatId } = interaction;
  const text = [toHeadline(interaction), describePlace(interaction), context?.title, describeAsker(interaction), chatId]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
