import stringWidth from 'fast-string-width';
import type { PendingEntry, PendingProject, PendingSession } from '../presentation/group-pending.ts';
import { toHeadline } from '../presentation/headline.ts';
import { RISK_NAMES, RISK_SIGNS, toStep } from '../presentation/names.ts';
import { describeAsker, toAsker } from '../presentation/who.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { RiskLevel } from '../protocol/risk.ts';
import { describeSize, FILE_TOOLS } from './diff-text.ts';
import type { InboxList, Row } from './inbox-list.ts';
import type { Style } from './line.ts';
import { toRiskStyles } from './risk-text.ts';
import type { Screen } from './screen.ts';
import { SHORT_MS, toSpan } from './span.ts';
import { cut } from './text-layout.ts';
import { toKeyRows } from './view.ts';

const HEADLINE_CHARS = 400;
const NAME_COLUMNS = 24;
const AGE_COLUMNS = 3;
const FILTERS = { notable: 'notable and dangerous', dangerous: 'dangerous' } as const;

/** What the list needs besides its items. */
export interface ListLook {
  now: number;
  /** Whether the person types what they search for. */
  isSearching?: boolean;
  canSnooze?: boolean;
  /** How much a request changes, by its id: counting takes time, and requests do not change. */
  sizes: Map<string, string>;
}

/** The lines of the list, fitted to the screen. */
export function renderList(screen: Screen, list: InboxList, look: ListLook): string[] {
  const { columns } = screen;
  const head = renderHead(screen, list, look);
  const notices = list.notices.map(({ text, style }) => screen.line(text, style));
  const keys = toKeyRows(toKeys(list, look), columns).map((line) => screen.line(line, 'dim'));
  const { rows, stops, here } = list;
  const height = Math.max(1, screen.rows - head.length - notices.length - keys.length - 1);
  const at = Math.max(
    0,
    rows.findIndex((row) => row.type !== 'session' && row.key === here?.key && stops.includes(row)),
  );
  const top = Math.min(Math.max(0, at - height + 1), Math.max(0, rows.length - height));
  const shown = rows.slice(top, top + height);
  const numbers = new Map(stops.slice(0, 9).map((stop, index) => [stop.key, String(index + 1)]));
  const lines = shown.map((row) => {
    const isHere = row.type !== 'session' && row.key === here?.key && (row.type === 'entry' || row.isFolded);
    return renderRow(screen, list, row, look, isHere, row.type === 'session' ? '' : (numbers.get(row.key) ?? ''));
  });
  const hidden = [
    ...count(rows.slice(0, top), 'above'),
    ...count(rows.slice(top + shown.length), 'below'),
    ...(list.hiddenCount > 0 ? [`${list.hiddenCount} snoozed`] : []),
  ];
  return [...head, ...lines, screen.line(hidden.join(', '), 'dim'), ...notices, ...keys];
}

function renderHead(screen: Screen, list: InboxList, { isSearching = false }: ListLook): string[] {
  const { count: waiting, query, least, dangerousCount } = list;
  const title = `Beckon inbox: ${waiting === 0 ? 'nothing waiting' : `${waiting} waiting`}`;
  const room = screen.columns - title.length;
  const dangerous = dangerousCount === 0 ? '' : cut(`, ${RISK_SIGNS.dangerous} ${dangerousCount} dangerous`, room);
  const filter = least === 'routine' ? [] : [screen.line(`Only ${FILTERS[least]}`, 'yellow')];
  // The end of a long query is where the person types.
  const search = isSearching || query !== '' ? [screen.line(`/${query}${isSearching ? '█' : ''}`, 'yellow')] : [];
  const head = screen.line(title, 'bold') + screen.paint(dangerous, ...toRiskStyles('dangerous'));
  return [head, ...filter, ...search, ...(screen.rows > 12 ? [''] : [])];
}

function renderRow(screen: Screen, list: InboxList, row: Row, look: ListLook, isHere: boolean, number: string): string {
  const styles: Style[] = isHere ? ['inverse'] : [];
  switch (row.type) {
    case 'project': {
      const { name, branch, count: size } = row.project;
      const mark = isHere ? '>' : ' ';
      const left = `${mark}${row.isFolded ? '▸' : '▾'} ${name}${branch === undefined ? '' : `  ${branch}`}`;
      const right = `${row.isFolded ? countDangerous(row.project, list) : ''}${size}`;
      return screen.paint(justify(left, right, screen.columns), ...(isHere ? styles : (['cyan'] as const)));
    }
    case 'session':
      return screen.line(`   ${describeSession(row.session)}`, 'dim');
    case 'entry': {
      const { interaction } = row.entry;
      const isMarked = list.isMarked(interaction.id);
      const level = list.riskOf(interaction);
      const sign = RISK_SIGNS[level] || toSign(interaction);
      const left = `${isHere ? '>' : ' '}${number.padStart(2)} ${isMarked ? '✔' : ' '} `;
      const facts = toFacts(row, level, look);
      const text = justify(`${left}${sign} ${toHeadline(interaction, HEADLINE_CHARS)}`, facts, screen.columns);
      return screen.paint(paintRisk(screen, text, left.length, level), ...styles);
    }
  }
}

/** Colors the sign of a row, and the word for its risk on the right. */
function paintRisk(screen: Screen, text: string, signAt: number, level: RiskLevel): string {
  if (level === 'routine') return text;
  const styles = toRiskStyles(level);
  const wordAt = text.lastIndexOf(toRiskWord(level));
  const [sign, word] = [text.slice(signAt, signAt + 1), toRiskWord(level)];
  const after = wordAt + word.length;
  const middle = text.slice(signAt + 1, wordAt);
  return `${text.slice(0, signAt)}${screen.paint(sign, ...styles)}${middle}${screen.paint(word, ...styles)}${text.slice(after)}`;
}

function toRiskWord(level: RiskLevel): string {
  return level === 'routine' ? '' : RISK_NAMES[level].toLowerCase();
}

/** What a folded group hides must not look harmless. */
function countDangerous({ sessions }: PendingProject, list: InboxList): string {
  const entries = sessions.flatMap((session) => session.entries);
  const found = entries.filter(({ interaction }) => list.riskOf(interaction) === 'dangerous').length;
  return found === 0 ? '' : `${RISK_SIGNS.dangerous} ${found} dangerous  `;
}

/** A text on the left, as much of it as there is room for, and one on the right. */
function justify(left: string, right: string, columns: number): string {
  const room = columns - stringWidth(right) - 2;
  const kept = cut(left, room);
  return `${kept}${' '.repeat(Math.max(0, room - stringWidth(kept)))}  ${right}`;
}

// The name of the asker comes first: a title, which the agent chooses, must not push it off the line.
function describeSession({ entries, title }: PendingSession): string {
  const names = [...new Set(entries.map(({ interaction }) => toName(interaction)))].join(', ');
  return title === undefined ? names : `${cut(names, NAME_COLUMNS)} · ${title}`;
}

function toName(interaction: Interaction): string {
  const { name, isSample } = toAsker(interaction);
  return isSample ? describeAsker(interaction) : name;
}

/** Size or step, the risk, the time left if it is short, and the age. */
function toFacts(
  { entry, session }: Extract<Row, { type: 'entry' }>,
  level: RiskLevel,
  { now, sizes }: ListLook,
): string {
  const { interaction } = entry;
  const { createdAt, expiresAt, awaitingFeedback } = interaction;
  const leftMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  const isOther = toName(interaction) !== toName(session.entries[0]?.interaction ?? interaction);
  const facts = [
    isOther ? cut(toName(interaction), NAME_COLUMNS) : '',
    awaitingFeedback ? 'needs feedback' : '',
    toSize(interaction, sizes),
    describeSteps(entry),
    toRiskWord(level),
    leftMs < SHORT_MS ? `${toSpan(leftMs)} left` : '',
    toSpan(now - Date.parse(createdAt)).padStart(AGE_COLUMNS),
  ];
  return facts.filter(Boolean).join('  ');
}

function describeSteps({ interaction, steps }: PendingEntry): string {
  const place = toStep(interaction);
  return place === null ? '' : steps.length > 1 ? `${steps.length} questions` : `${place.step}/${place.steps}`;
}

function toSize(interaction: Interaction, sizes: Map<string, string>): string {
  if (interaction.kind !== 'approval' || !FILE_TOOLS.includes(interaction.request.tool)) return '';
  const known = sizes.get(interaction.id);
  if (known !== undefined) return known;
  const size = describeSize(interaction.request);
  sizes.set(interaction.id, size);
  return size;
}

/** The sign of a kind: what it is can be seen without reading. */
function toSign(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return '?';
    case 'plan_review':
      return '#';
    case 'form':
      return '=';
    case 'component':
      return '@';
    case 'approval':
      if (FILE_TOOLS.includes(interaction.request.tool)) return '±';
      return interaction.request.tool === 'Bash' ? '$' : '*';
  }
}

function count(rows: readonly Row[], where: string): string[] {
  const entries = rows.filter(({ type }) => type === 'entry').length;
  const folded = rows.reduce((sum, row) => (row.type === 'project' && row.isFolded ? sum + row.project.count : sum), 0);
  return entries + folded === 0 ? [] : [`${entries + folded} ${where}`];
}

function toKeys(list: InboxList, { isSearching = false, canSnooze = false }: ListLook): string[] {
  if (isSearching) return ['enter: done', 'esc: all'];
  const marked = list.marked.length;
  if (marked > 0) return [`y allow ${marked}`, `n deny ${marked}`, `r deny ${marked}, because …`, 'x mark', 'esc none'];
  const clear = list.query === '' && list.least === 'routine' ? [] : ['esc: all'];
  if (list.stops.length === 0) return [...(list.least === 'routine' ? [] : ['f risk']), ...clear, '? keys', 'q quits'];
  return [
    'enter opens',
    'x marks',
    'a alike',
    ...(canSnooze ? ['s snooze'] : []),
    '/ search',
    'f risk',
    ...clear,
    '? keys',
    'q quits',
  ];
}
