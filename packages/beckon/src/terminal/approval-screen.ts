import { isDeepStrictEqual } from 'node:util';
import { compare } from '../diff/index.ts';
import { describeRisk } from '../presentation/describe-risk.ts';
import { toHeadline } from '../presentation/headline.ts';
import { RISK_SIGNS } from '../presentation/names.ts';
import { toVisible } from '../presentation/visible.ts';
import { toApprovalAbilities } from '../protocol/abilities.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Context } from '../protocol/context.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { describeOrigin, describeReasons } from './around-text.ts';
import {
  askForText,
  type Desk,
  type Going,
  loadAround,
  type Reading,
  read,
  toShared,
  toSharedKeys,
  unlessBack,
} from './desk.ts';
import { describeHunks, FILE_TOOLS } from './diff-text.ts';
import { editInput, toEditable } from './edit-input.ts';
import type { Line } from './line.ts';
import { chooseRule } from './remember-screen.ts';
import { describeCall } from './request-text.ts';
import { toRiskStyles } from './risk-text.ts';
import type { Key } from './screen.ts';
import { createScroll, openView, type View } from './view.ts';

/** What the person does next. */
type Did = { answer: AnswerInput } | Going | Reading | { ask: 'reason' | 'edit' | 'remember' };

/** A decision that waits for a second, different key. */
interface Confirming {
  lines: readonly Line[];
  /** The names of the second key, and how it is shown with what it does. */
  names: readonly string[];
  label: string;
  answer: AnswerInput;
}

const ENTER = ['return', 'enter'];
const UNCHANGED = 'You changed nothing.';
/** Far from `y` and not under the same finger: nobody presses it twice by habit. */
const ANYWAY = 'A';
const DECIDING = [...ENTER, ANYWAY, 'y', 'n'];
/** So many reasons stand above the keys; all of them are in the request. */
const MOST_REASONS = 3;

/**
 * Shows what a tool would do and takes a decision with one key. What is dangerous, what has not been on the screen
 * completely, and what is to be remembered, needs a second, different key. `notice` says what became of the decision
 * before.
 */
export async function decideOnScreen(
  interaction: InteractionOf<'approval'>,
  desk: Desk,
  notice: readonly Line[],
): Promise<{ answer: AnswerInput } | Going> {
  const { screen, signal } = desk;
  const { request } = interaction;
  const abilities = toApprovalAbilities(request);
  const paint = screen.paint.bind(screen);
  const around = loadAround(desk, interaction);
  const scroll = createScroll();
  const alike = desk.countAlike(interaction);
  let notes = notice;
  let input: JsonObject = request.input;
  let isWhole = false;
  let confirming: Confirming | null = null;

  const isEdited = (): boolean => !isDeepStrictEqual(input, request.input);
  const toAllowed = (): AnswerInput => ({ decision: 'allow', ...(isEdited() && { updatedInput: input }) });

  const confirm = (next: Confirming): undefined => {
    confirming = next;
    screen.restartGuard();
  };

  // A person may edit what is dangerous until it is not, and the other way round.
  const assess = keepLast((shown: JsonObject) => assessRisk({ ...interaction, request: { ...request, input: shown } }));
  const isDangerous = (): boolean => assess(input).level === 'dangerous';

  // Beckon can remember for an agent that cannot.
  const mayRemember = (): boolean => (abilities.remember || desk.rules !== undefined) && !isEdited() && !isDangerous();

  const allow = (): Did | undefined => {
    if (around.isLoading) return undefined;
    const unseen = scroll.total - scroll.seen;
    const text = `${unseen === 1 ? '1 line has' : `${unseen} lines have`} not been on the screen. Space shows more.`;
    const lines = unseen <= 0 ? [] : [{ text: paint(text, 'yellow') }];
    const answer = toAllowed();
    if (isDangerous()) {
      const reasons = `${RISK_SIGNS.dangerous} ${describeRisk(assess(input), MOST_REASONS)}.`;
      const danger = { text: paint(reasons, ...toRiskStyles('dangerous')) };
      return confirm({ lines: [danger, ...lines], names: [ANYWAY], label: `${ANYWAY} allow anyway`, answer });
    }
    if (unseen <= 0) return { answer };
    return confirm({ lines, names: ENTER, label: 'enter: allow anyway', answer });
  };

  const press = (key: Key): Did | undefined => {
    if (confirming !== null) {
      const { answer, names } = confirming;
      confirming = null;
      if (names.includes(key.name)) return { answer };
      screen.restartGuard();
      return undefined;
    }
    switch (key.name) {
      case 'y':
        return allow();
      case 'n':
        return { answer: { decision: 'deny' } };
      case 'r':
        return abilities.denyText ? { ask: 'reason' } : undefined;
      case 'e':
        return around.isLoading || !abilities.editInput ? undefined : { ask: 'edit' };
      case 'm':
        return around.isLoading || !mayRemember() ? undefined : { ask: 'remember' };
      case 'a':
        return alike > 1 ? { go: 'alike' } : undefined;
      case 'o':
        isWhole = !isWhole;
        return undefined;
      default:
        return toShared(desk, key);
    }
  };

  const toNotes = (): readonly Line[] => {
    if (confirming !== null) return confirming.lines;
    if (around.isLoading) return [{ text: paint('Reading what surrounds this request …', 'yellow') }];
    return around.note === undefined ? notes : [...notes, { text: paint(toVisible(around.note), 'yellow') }];
  };

  // Comparing takes time, and a view is drawn again every second.
  const described = keepLast(
    (shown: JsonObject, context: Context | null, isAll: boolean, columns: number): readonly Line[] => [
      ...(isEdited() ? describeEdit(request.input, shown) : []),
      ...describeCall(interaction, shown, { context, paint, columns, isWhole: isAll, isSpoken: desk.isSpoken }),
    ],
  );

  const view: View<Did> = {
    title: toHeadline(interaction, 400),
    lines: () => {
      return [
        ...describeOrigin(interaction, paint, desk),
        { text: '' },
        { text: paint(toHeadline(interaction, 400), 'bold') },
        { text: '' },
        ...described(input, around.context, isWhole, screen.columns),
      ];
    },
    more: () => describeReasons(interaction, around.context, paint, screen.columns),
    notes: toNotes,
    keys: () => {
      if (confirming !== null) return [confirming.label, 'any other key: back'];
      const others = [
        'n deny',
        ...(abilities.denyText ? ['r deny, because …'] : []),
        ...(abilities.editInput ? ['e edit'] : []),
        ...(mayRemember() ? ['m remember …'] : []),
      ];
      if (FILE_TOOLS.includes(request.tool)) others.push(isWhole ? 'o less around' : 'o more around');
      if (alike > 1) others.push(`a ${alike} like this`);
      const allows = isEdited() ? 'y allow, as edited' : 'y allow';
      return [isDangerous() ? `${allows} …` : allows, ...others, ...toSharedKeys(desk)];
    },
    decides: DECIDING,
    press,
    onOpen: (redraw) => {
      if (around.isLoading) void around.loaded.then(() => redraw(true));
    },
  };

  const describeEdit = (before: JsonObject, after: JsonObject): Line[] => {
    const { toText } = toEditable(request);
    const { hunks } = compare(toText(before), toText(after));
    return [{ text: paint('Your changes', 'bold', 'yellow') }, ...describeHunks(hunks, paint, false), { text: '' }];
  };

  for (;;) {
    const did = await openView(screen, view, scroll, signal);
    notes = [];
    if ('answer' in did || 'go' in did) return did;
    if ('read' in did) await read(desk, did, interaction, around);
    else if (did.ask === 'edit') {
      const edited = await editInput(desk, request, input);
      const problem = 'problem' in edited ? edited.problem : isDeepStrictEqual(edited.value, input) ? UNCHANGED : null;
      if (problem !== null) notes = [{ text: paint(toVisible(problem), 'yellow') }];
      if ('value' in edited) {
        input = edited.value;
        Object.assign(scroll, createScroll());
      }
    } else if (did.ask === 'remember') {
      const chosen = await unlessBack(desk, () => chooseRule(interaction, desk));
      if (chosen !== null) return chosen;
    } else {
      const message = await askForText(desk, 'Why not?');
      if (message !== null) return { answer: { decision: 'deny', message } };
    }
  }
}

/** Calls a function again only if an argument is another one than the last time. */
function keepLast<Args extends readonly unknown[], Result>(make: (...args: Args) => Result): (...args: Args) => Result {
  let last: { args: Args; result: Result } | null = null;
  return (...args) => {
    if (last === null || args.some((arg, index) => arg !== last?.args[index])) last = { args, result: make(...args) };
    return last.result;
  };
}
