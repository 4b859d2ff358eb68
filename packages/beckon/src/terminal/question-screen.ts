import { toHeadline } from '../presentation/headline.ts';
import { toKindText, toStep } from '../presentation/names.ts';
import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import { toQuestionAbilities } from '../protocol/abilities.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { describeOrigin, describeReasons } from './around-text.ts';
import { askForText, type Desk, type Going, loadAround, type Reading, read, toShared, toSharedKeys } from './desk.ts';
import { choose, type Draft, describeDraft, EMPTY_DRAFT, type Question, toAnswer } from './draft.ts';
import { type Line, type Paint, toLines } from './line.ts';
import type { Key } from './screen.ts';
import { createScroll, openView, type View } from './view.ts';

/** One answer to each question, in their order. */
export interface Answered {
  answers: readonly { id: string; answer: AnswerInput }[];
}

type Did = Answered | Going | Reading | { ask: 'words' | 'note' };

/** The rows after the options. */
const EXTRA_ROWS = [
  { ask: 'words', label: 'In your own words …' },
  { ask: 'note', label: 'Add a note …' },
] as const;

const ENTER = ['return', 'enter'];
const MARKS = { one: ['○', '●'], several: ['☐', '☒'] } as const;
const PREVIEW_LINES = 30;

/**
 * Shows the questions of one call as tabs, with a review of all answers behind the last one. A question that stands
 * alone has neither. Drafts are kept in `drafts` until they are sent.
 */
export async function answerOnScreen(
  questions: readonly [Question, ...Question[]],
  desk: Desk,
  notice: readonly Line[],
  drafts: Map<string, Draft>,
): Promise<Answered | Going> {
  const { screen, signal } = desk;
  const paint = screen.paint.bind(screen);
  const [first] = questions;
  const around = loadAround(desk, first);
  const isGroup = questions.length > 1;
  const scroll = createScroll();
  let notes = notice;

  const toDraft = ({ id }: Question): Draft => drafts.get(id) ?? EMPTY_DRAFT;
  const isOpen = (question: Question): boolean => toAnswer(question, toDraft(question)) === null;
  const findOpen = (from: number): number => {
    const ahead = questions.findIndex((question, index) => index >= from && isOpen(question));
    return ahead === -1 ? questions.findIndex(isOpen) : ahead;
  };
  /** The tab in front; behind the last one is the review. */
  let at = Math.max(0, findOpen(0));

  const goTo = (tab: number): undefined => {
    const next = Math.min(Math.max(0, tab), isGroup ? questions.length : 0);
    if (next === at) return;
    at = next;
    scroll.top = 0;
    screen.restartGuard();
  };
  const goOn = (): Did | undefined => {
    if (!isGroup) return send();
    const next = findOpen(at + 1);
    return goTo(next === -1 ? questions.length : next);
  };
  const send = (): Did | undefined => {
    const answers = questions.flatMap((question) => {
      const answer = toAnswer(question, toDraft(question));
      return answer === null ? [] : [{ id: question.id, answer }];
    });
    return answers.length === questions.length ? { answers } : goTo(findOpen(0));
  };

  const pick = (question: Question, index: number, isFinal: boolean): Did | undefined => {
    const { options, multiSelect } = question.request;
    const extra = toExtraRows(question)[index - options.length];
    if (extra !== undefined) return { ask: extra.ask };
    if (index >= options.length) return undefined;
    drafts.set(question.id, choose(question, toDraft(question), index));
    // The number of the only answer is enough where a review follows; alone, it is sent by Enter.
    return isFinal && multiSelect !== true ? goOn() : undefined;
  };

  const enter = (question: Question): Did | undefined => {
    const draft = toDraft(question);
    const { options, multiSelect } = question.request;
    if (draft.cursor >= options.length) return pick(question, draft.cursor, true);
    if (multiSelect !== true && draft.text === undefined) return pick(question, draft.cursor, true);
    if (!isOpen(question)) return goOn();
    notes = [{ text: paint('Choose with space or a number first.', 'yellow') }];
    return undefined;
  };

  const press = (key: Key): Did | undefined => {
    const question = questions[at];
    if (key.name === 'left') return goTo(at - 1);
    if (key.name === 'right' || key.name === 'tab') return goTo(at + 1);
    if (question === undefined) return ENTER.includes(key.name) ? send() : toShared(desk, key);
    const draft = toDraft(question);
    const rows = question.request.options.length + toExtraRows(question).length;
    const move = (by: number): undefined =>
      void drafts.set(question.id, { ...draft, cursor: Math.min(Math.max(0, draft.cursor + by), rows - 1) });
    if (/^[1-9]$/.test(key.name)) return pick(question, Number(key.name) - 1, isGroup);
    if (ENTER.includes(key.name)) return enter(question);
    if (key.name === 'up') return move(-1);
    if (key.name === 'down') return move(1);
    if (key.name === 'space') return pick(question, draft.cursor, false);
    return toShared(desk, key);
  };

  const view: View<Did> = {
    title: toHeadline(first, 400),
    lines: () => {
      const question = questions[at];
      return [
        ...describeOrigin(first, paint, desk),
        { text: '' },
        ...(isGroup ? [{ text: toTabs(questions, at, isOpen, paint) }, { text: '' }] : describeAlone(first, paint)),
        ...(question === undefined
          ? describeReview(questions, toDraft, paint)
          : describeQuestion(question, toDraft(question), paint)),
      ];
    },
    more: () => describeReasons(first, around.context, paint, screen.columns),
    notes: () => notes,
    keys: () => [...toKeys(questions[at], isGroup, questions.some(isOpen)), ...toSharedKeys(desk)],
    decides: ENTER,
    scrolls: ['pageup', 'pagedown', 'b', 'home', 'end'],
    press,
    onOpen: (redraw) => {
      if (around.isLoading) void around.loaded.then(() => redraw(false));
    },
  };

  for (;;) {
    const did = await openView(screen, view, scroll, signal);
    notes = [];
    if ('answers' in did || 'go' in did) return did;
    if ('read' in did) {
      await read(desk, did, first, around);
      continue;
    }
    const question = questions[at];
    if (question === undefined) continue;
    const text = await askForText(desk, did.ask === 'words' ? toHeadline(question, 400) : 'Your note');
    if (text === null) continue;
    const { chosen, cursor } = toDraft(question);
    const { notes: takesNotes } = toQuestionAbilities(question.request);
    const isMultiple = question.request.multiSelect === true;
    const isNote = did.ask === 'note' || (takesNotes && isMultiple && chosen.size > 0);
    // With the cursor back among the options, Enter sends them with the note.
    const [option = 0] = chosen;
    const others = isMultiple ? chosen : new Set<number>();
    drafts.set(question.id, isNote ? { chosen, cursor: option, notes: text } : { chosen: others, cursor, text });
    if (isNote) continue;
    const next = goOn();
    if (next !== undefined && 'answers' in next) return next;
  }
}

function toExtraRows({ request }: Question): readonly (typeof EXTRA_ROWS)[number][] {
  const { ownWords, notes } = toQuestionAbilities(request);
  return EXTRA_ROWS.filter(({ ask }) => (ask === 'words' ? ownWords : notes && request.options.length > 0));
}

/** `Database ✓ │ Region │ Cache │ Send` */
function toTabs(
  questions: readonly Question[],
  at: number,
  isOpen: (question: Question) => boolean,
  paint: Paint,
): string {
  const tabs = questions.map((question, index) => {
    const name = `${toTabName(question, index)}${isOpen(question) ? '' : ' ✓'}`;
    return index === at ? paint(`[${name}]`, 'bold', 'inverse') : name;
  });
  return [...tabs, at === questions.length ? paint('[Send]', 'bold', 'inverse') : 'Send'].join(' │ ');
}

function toTabName({ request }: Question, index: number): string {
  const { header } = request;
  return header === undefined || header === '' ? `Question ${index + 1}` : toVisibleLine(header, 20);
}

function describeQuestion(asked: Question, draft: Draft, paint: Paint): Line[] {
  const { question, options, multiSelect } = asked.request;
  const marks = multiSelect === true ? MARKS.several : MARKS.one;
  const toRow = (index: number, mark: string, label: string, hint: string): Line => {
    const isHere = index === draft.cursor;
    const number = index < 9 ? String(index + 1) : ' ';
    return {
      gutter: `${isHere ? '>' : ' '} ${number} ${mark} `,
      text: `${isHere ? paint(label, 'bold', 'cyan') : label}${hint === '' ? '' : paint(`  ${hint}`, 'dim')}`,
    };
  };
  const preview = options[draft.cursor]?.preview;
  return [
    ...toLines(toVisible(question)).map(({ text }) => ({ text: paint(text, 'bold') })),
    { text: '' },
    ...options.map(({ label, description = '' }, index) =>
      toRow(index, marks[draft.chosen.has(index) ? 1 : 0], toVisibleLine(label), toVisibleLine(description)),
    ),
    ...toExtraRows(asked).map(({ ask, label }, index) => {
      const written = (ask === 'words' ? draft.text : draft.notes) ?? '';
      return toRow(options.length + index, written === '' ? ' ' : '✓', label, toVisibleLine(written));
    }),
    ...(preview === undefined ? [] : describePreview(preview, paint)),
  ];
}

/** The last open question of a call says which one it is. */
function describeAlone(question: Question, paint: Paint): Line[] {
  return toStep(question) === null ? [] : [{ text: paint(toKindText(question), 'cyan') }];
}

function describePreview(preview: string, paint: Paint): Line[] {
  const lines = toVisible(preview, 'code').split('\n');
  const shown = lines.slice(0, PREVIEW_LINES).map((text) => ({ gutter: paint('  │ ', 'dim'), text }));
  const more = lines.length - shown.length;
  return [{ text: '' }, ...shown, ...(more > 0 ? [{ text: paint(`  … ${more} more lines`, 'dim') }] : [])];
}

function describeReview(questions: readonly Question[], toDraft: (question: Question) => Draft, paint: Paint): Line[] {
  return questions.flatMap((question, index) => {
    const words = describeDraft(question, toDraft(question));
    return [
      { text: paint(toTabName(question, index), 'bold') },
      { gutter: '  ', text: toHeadline(question, 400) },
      { gutter: '  ', text: words === '' ? paint('open', 'yellow') : paint(words, 'green') },
    ];
  });
}

function toKeys(question: Question | undefined, isGroup: boolean, hasOpen: boolean): string[] {
  if (question === undefined) return [hasOpen ? 'enter: the open question' : 'enter: send all', '←/→ tabs'];
  const choosing = question.request.options.length === 0 ? [] : ['1-9 choose'];
  const several = question.request.multiSelect === true ? ['space marks'] : [];
  return [...choosing, ...several, isGroup ? 'enter: next' : 'enter: send', ...(isGroup ? ['←/→ tabs'] : [])];
}
