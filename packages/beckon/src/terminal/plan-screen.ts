import { compare } from '../diff/index.ts';
import { toHeadline } from '../presentation/headline.ts';
import { type PlanChoice, toPlanChoices } from '../presentation/plan-choices.ts';
import { toVisible } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import { describeOrigin, describeReasons } from './around-text.ts';
import { askForText, type Desk, type Going, loadAround, type Reading, read, toShared, toSharedKeys } from './desk.ts';
import { describeHunks } from './diff-text.ts';
import { editHere } from './edit-json.ts';
import { type Line, toLines } from './line.ts';
import type { Key } from './screen.ts';
import { createScroll, openView, type View } from './view.ts';

type Did = { answer: AnswerInput } | Going | Reading | { ask: 'feedback' | 'edit' };

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
  const around = loadAround(desk, interaction);
  const scroll = createScroll();
  let notes = notice;
  let { plan } = request;
  let chosen: PlanChoice | null = null;

  const toEdited = (): object => (plan === request.plan ? {} : { editedPlan: plan });
  const choose = (choice: PlanChoice | undefined): Did | undefined => {
    if (choice === undefined) return undefined;
    if (choice.decision === 'adjust') return { ask: 'feedback' };
    chosen = choice;
    screen.restartGuard();
    return undefined;
  };

  const press = (key: Key): Did | undefined => {
    if (chosen !== null && ENTER.includes(key.name)) {
      return { answer: { decision: chosen.decision, ...toEdited() } };
    }
    chosen = null;
    if (/^[1-9]$/.test(key.name)) return choose(choices[Number(key.name) - 1]);
    switch (key.name) {
      case 'y':
        return choose(choices[0]);
      case 'n':
      case 'r':
        return { ask: 'feedback' };
      case 'e':
        return { ask: 'edit' };
      default:
        return toShared(desk, key);
    }
  };

  const toNotes = (): readonly Line[] => {
    if (chosen === null) return notes;
    const unseen = scroll.total - scroll.seen;
    const warning = unseen > 0 ? ` You have not seen ${unseen} of its lines.` : '';
    return [{ text: paint(`${chosen.label}: ${chosen.effect}${warning}`, 'yellow') }];
  };

  const view: View<Did> = {
    title: toHeadline(interaction, 400),
    lines: () => {
      return [
        ...describeOrigin(interaction, paint, desk.titles),
        { text: '' },
        ...(plan === request.plan ? [] : describeEdit()),
        ...toLines(toVisible(plan)),
      ];
    },
    more: () => describeReasons(interaction, around.context, paint, screen.columns),
    notes: toNotes,
    keys: () =>
      chosen === null
        ? [...choices.map(({ label }, index) => `${index + 1} ${label}`), 'e edit', ...toSharedKeys(desk)]
        : ['enter: send', 'any other key: back'],
    decides: ENTER,
    press,
    onOpen: (redraw) => {
      if (around.isLoading) void around.loaded.then(() => redraw(false));
    },
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
    else if (did.ask === 'edit') {
      const edited = await editHere(desk, plan, 'plan.md');
      if ('problem' in edited) notes = [{ text: paint(toVisible(edited.problem), 'yellow') }];
      else plan = edited.value;
      Object.assign(scroll, createScroll());
    } else {
      const feedback = await askForText(desk, 'What should change?');
      if (feedback !== null) return { answer: { decision: 'adjust', feedback, ...toEdited() } };
    }
  }
}
