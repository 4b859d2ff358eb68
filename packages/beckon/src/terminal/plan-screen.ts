import { compare } from '../diff/index.ts';
import { countComments } from '../presentation/answer-text.ts';
import { toHeadline } from '../presentation/headline.ts';
import { type PlanChoice, toPlanChoices } from '../presentation/plan-choices.ts';
import { toVisible } from '../presentation/visible.ts';
import { toPlanAbilities } from '../protocol/abilities.ts';
import type { AnswerInput, PlanComment } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import { describeOrigin, describeReasons } from './around-text.ts';
import { askForText, type Desk, type Going, loadAround, type Reading, read, toShared, toSharedKeys } from './desk.ts';
import { describeHunks } from './diff-text.ts';
import { editHere } from './edit-json.ts';
import { type Line, toLines } from './line.ts';
import { readComments, toCommentable } from './plan-comments.ts';
import type { Key } from './screen.ts';
import { createScroll, openView, type View } from './view.ts';

type Did = { answer: AnswerInput } | Going | Reading | { ask: 'feedback' | 'edit' | 'comments' };

const ENTER = ['return', 'enter'];

/** Shows a plan and takes a decision: a number chooses it and says what the agent does then, Enter sends it. */
export async function reviewOnScreen(
  interaction: InteractionOf<'plan_review'>,
  desk: Desk,
  notice: readonly Line[],
): Promise<{ answer: AnswerInput } | Going> {
  const { screen, signal } = desk;
  const { request } = interaction;
  const paint = screen.paint.bind(screen);
  const choices = toPlanChoices(interaction);
  const abilities = toPlanAbilities(interaction);
  const sendsBack = choices.find(({ decision }) => decision === 'adjust');
  const around = loadAround(desk, interaction);
  const scroll = createScroll();
  let notes = notice;
  let { plan } = request;
  let chosen: PlanChoice | null = null;
  let comments: readonly PlanComment[] = [];

  const toComments = (): object => (comments.length === 0 ? {} : { comments: [...comments] });
  const toEdited = (): object => (plan === request.plan ? {} : { editedPlan: plan });
  const choose = (choice: PlanChoice | undefined): Did | undefined => {
    if (choice === undefined) return undefined;
    // Comments say what to change, so no more words are needed.
    if (choice === sendsBack && comments.length === 0 && abilities.feedback) return { ask: 'feedback' };
    chosen = choice;
    screen.restartGuard();
    return undefined;
  };

  const press = (key: Key): Did | undefined => {
    if (chosen !== null && ENTER.includes(key.name)) {
      const { decision } = chosen;
      return { answer: { decision, ...(decision === 'adjust' && toComments()), ...toEdited() } };
    }
    chosen = null;
    if (/^[1-9]$/.test(key.name)) return choose(choices[Number(key.name) - 1]);
    switch (key.name) {
      case 'y':
        return choose(choices.find((choice) => choice !== sendsBack));
      case 'n':
      case 'r':
        return sendsBack !== undefined && abilities.feedback ? { ask: 'feedback' } : choose(sendsBack);
      case 'w':
        return abilities.feedback ? { ask: 'comments' } : undefined;
      case 'e':
        return abilities.editPlan ? { ask: 'edit' } : undefined;
      default:
        return toShared(desk, key);
    }
  };

  const toNotes = (): readonly Line[] => {
    if (chosen === null) return notes;
    const unseen = scroll.total - scroll.seen;
    const warnings = [
      ...(unseen > 0 ? [`You have not seen ${unseen} of its lines.`] : []),
      ...(chosen.decision !== 'adjust' && comments.length > 0 ? ['Your comments are not sent.'] : []),
    ];
    return [{ text: paint([`${chosen.label}: ${chosen.effect}`, ...warnings].join(' '), 'yellow') }];
  };

  const view: View<Did> = {
    title: toHeadline(interaction, 400),
    lines: () => {
      return [
        ...describeOrigin(interaction, paint, desk),
        { text: '' },
        ...(plan === request.plan ? [] : describeEdit()),
        ...describePlan(),
      ];
    },
    more: () => describeReasons(interaction, around.context, paint, screen.columns),
    notes: toNotes,
    keys: () =>
      chosen === null
        ? [
            ...choices.map(toKey),
            ...(abilities.editPlan ? ['e edit'] : []),
            ...(abilities.feedback ? ['w comment'] : []),
            ...toSharedKeys(desk),
          ]
        : ['enter: send', 'any other key: back'],
    decides: ENTER,
    press,
    onOpen: (redraw) => {
      if (around.isLoading) void around.loaded.then(() => redraw(false));
    },
  };

  const toKey = ({ decision, label }: PlanChoice, index: number): string => {
    const isRemarked = decision === 'adjust' && comments.length > 0;
    return `${index + 1} ${isRemarked ? `Send back with ${countComments(comments.length)}` : label}`;
  };

  /** The plan with the comments below their lines. The lines of an edited one are others, so there they come first. */
  const describePlan = (): Line[] => {
    const isEdited = plan !== request.plan;
    const remark = ({ line, comment }: PlanComment): Line => ({
      gutter: paint(isEdited ? `>> line ${line}: ` : '  >> ', 'yellow'),
      text: paint(toVisible(comment), 'yellow'),
    });
    const lines = toLines(toVisible(plan));
    if (isEdited) return [...comments.map(remark), ...lines];
    return lines.flatMap((shown, index) => [shown, ...comments.filter(({ line }) => line === index + 1).map(remark)]);
  };

  const describeEdit = (): Line[] => [
    { text: paint('Your changes', 'bold', 'yellow') },
    ...describeHunks(compare(request.plan, plan).hunks, paint, false),
    { text: '' },
  ];

  for (;;) {
    const did = await openView(screen, view, scroll, signal);
    notes = [];
    if ('answer' in did || 'go' in did) return did;
    if ('read' in did) await read(desk, did, interaction, around);
    else if (did.ask === 'comments') {
      const written = await editHere(desk, toCommentable(request.plan, comments), 'comments.md');
      if ('problem' in written) notes = [{ text: paint(toVisible(written.problem), 'yellow') }];
      else comments = readComments(written.value, request.plan);
    } else if (did.ask === 'edit') {
      const edited = await editHere(desk, plan, 'plan.md');
      if ('problem' in edited) notes = [{ text: paint(toVisible(edited.problem), 'yellow') }];
      else plan = edited.value;
      Object.assign(scroll, createScroll());
    } else {
      const feedback = await askForText(desk, 'What should change?');
      if (feedback !== null) return { answer: { decision: 'adjust', feedback, ...toComments(), ...toEdited() } };
    }
  }
}
