import type { Rules } from '../core/rules.ts';
import { toHeadline } from '../presentation/headline.ts';
import { DECISION_NAMES, RISK_SIGNS } from '../presentation/names.ts';
import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import { toAsker } from '../presentation/who.ts';
import { toApprovalAbilities } from '../protocol/abilities.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { PreviewItem, RuleOffer, RulePreview } from '../protocol/rule.ts';
import type { Desk } from './desk.ts';
import type { Line, Paint } from './line.ts';
import { describeRules } from './rules-text.ts';
import type { Key } from './screen.ts';
import { createScroll, openView, type View } from './view.ts';

/** What a person may have remembered: a rule of Beckon, or what the agent itself keeps. */
type Choice = { offer: RuleOffer } | 'agent';

/** What the person does next. */
type Did = { chosen: Choice; isConfirmed: boolean };

const ENTER = ['return', 'enter'];
/** So many of the decisions that a rule contradicts are named. */
const MOST_ITEMS = 5;
const ITEM_CHARS = 200;

/**
 * Offers the rules that would allow a request, each with what it would have decided so far, and the agent's own, if it
 * keeps any. Enter makes the chosen one; a rule that contradicts what a person said needs another key as well. Gives
 * the answer to send. Throws `PromptLeft` if the person goes back.
 */
export async function chooseRule(interaction: InteractionOf<'approval'>, desk: Desk): Promise<{ answer: AnswerInput }> {
  const { screen, signal, rules } = desk;
  const paint = screen.paint.bind(screen);
  const own = describeRules(interaction.request.suggestions ?? []);
  const ofAgent: readonly Choice[] = toApprovalAbilities(interaction.request).remember ? ['agent'] : [];
  let choices: readonly Choice[] = rules === undefined ? ofAgent : [];
  let isLoading = rules !== undefined;
  let why = '';
  let cursor = 0;
  let note = '';
  /** What the chosen rule contradicts; it is made only with another key. */
  let contradicted: readonly Line[] | null = null;

  const loading = loadOffers(rules, interaction.id).then((found) => {
    choices = [...found.offers.map((offer) => ({ offer })), ...ofAgent];
    why = found.why;
    isLoading = false;
  });

  const press = ({ name }: Key): Did | undefined => {
    const chosen = choices[cursor];
    if (contradicted !== null) {
      contradicted = null;
      if (name === 'A' && chosen !== undefined) return { chosen, isConfirmed: true };
      screen.restartGuard();
      return undefined;
    }
    note = '';
    if (name === 'up' || name === 'k') cursor = Math.max(0, cursor - 1);
    else if (name === 'down' || name === 'j') cursor = Math.max(0, Math.min(choices.length - 1, cursor + 1));
    else if (/^[1-9]$/.test(name) && Number(name) <= choices.length) cursor = Number(name) - 1;
    else if (ENTER.includes(name) && chosen !== undefined) {
      const contradictions = chosen === 'agent' ? [] : chosen.offer.preview.contradictions;
      if (contradictions.length === 0) return { chosen, isConfirmed: false };
      contradicted = describeContradictions(contradictions, paint);
      screen.restartGuard();
    }
    return undefined;
  };

  const toGutter = (index: number): string => `${index === cursor ? '>' : ' '} ${index + 1}  `;
  const describeChoice = (choice: Choice, index: number): Line[] => {
    if (choice === 'agent') {
      const { name } = toAsker(interaction);
      const head = index === 0 ? [] : [{ text: '' }];
      return [
        ...head,
        { text: `A rule of the agent, kept by ${name} and not by Beckon:` },
        ...own.map((text, at) => ({ gutter: at === 0 ? toGutter(index) : ' '.repeat(5), text })),
      ];
    }
    const { sentence, preview } = choice.offer;
    const style = index === cursor ? (['bold'] as const) : [];
    return [
      { gutter: toGutter(index), text: paint(toVisible(sentence), ...style) },
      ...describePreview(preview, paint).map((text) => ({ gutter: ' '.repeat(5), text })),
    ];
  };
  const lines = (): readonly Line[] => [
    { text: paint('Allow, and remember', 'bold', 'green') },
    { text: toHeadline(interaction, 400) },
    { text: '' },
    ...(isLoading ? [{ text: paint('Looking at what was decided before …', 'yellow') }] : []),
    ...(why === '' ? [] : [{ text: toVisible(why) }, { text: '' }]),
    ...(choices.length > ofAgent.length ? [{ text: 'A rule of Beckon:' }] : []),
    ...choices.flatMap(describeChoice),
  ];

  const view: View<Did> = {
    title: 'Allow, and remember',
    lines,
    notes: () => contradicted ?? (note === '' ? [] : [{ text: paint(note, 'yellow') }]),
    keys: () => {
      if (contradicted !== null) return ['A make it anyway', 'any other key: back'];
      if (choices.length === 0) return ['esc back'];
      const choose = choices.length === 1 ? [] : [`1-${choices.length} choose`];
      const isOwn = choices[cursor] === 'agent';
      return [...choose, isOwn ? 'enter: allow, and let the agent keep it' : 'enter: allow, and make it', 'esc back'];
    },
    decides: [...ENTER, 'A'],
    scrolls: ['pageup', 'pagedown', 'space', 'b', 'home', 'end'],
    press,
    onOpen: (redraw) => {
      if (isLoading) void loading.then(() => redraw(true));
    },
  };

  const scroll = createScroll();
  for (;;) {
    const { chosen, isConfirmed } = await openView(screen, view, scroll, signal);
    if (chosen === 'agent' || rules === undefined) return { answer: { decision: 'allow', remember: true } };
    try {
      const { id } = await rules.add(chosen.offer.draft, isConfirmed ? { confirm: true } : {});
      desk.announce(`Rule of Beckon made: ${toVisible(chosen.offer.sentence)} It is ${id}.`);
      return { answer: { decision: 'allow' } };
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      // The history has changed since the preview.
      if (error.code === 'rule_contradicts') contradicted = [{ text: paint(toVisible(error.message), 'yellow') }];
      else note = toVisible(error.message);
    }
  }
}

async function loadOffers(
  rules: Pick<Rules, 'offers'> | undefined,
  id: string,
): Promise<{ offers: readonly RuleOffer[]; why: string }> {
  try {
    const { offers, why = '' } = (await rules?.offers(id)) ?? { offers: [] };
    return { offers, why };
  } catch (error) {
    return { offers: [], why: error instanceof Error ? error.message : String(error) };
  }
}

/** What a rule would have decided so far. */
function describePreview(
  { checked, matched, byDecision, contradictions, dangerous }: RulePreview,
  paint: Paint,
): string[] {
  const counts = byDecision.map(({ decision, count }) => `${count} ${DECISION_NAMES[decision].toLowerCase()}`);
  const past =
    matched === 0
      ? `It matches none of the last ${checked} approvals.`
      : `It matches ${matched} of the last ${checked} approvals: ${counts.join(', ')}.`;
  return [
    paint(past, 'dim'),
    ...(dangerous === 0 ? [] : [paint(`${dangerous} of them are dangerous: you are asked about those.`, 'dim')]),
    ...(contradictions.length === 0
      ? []
      : [paint(`${RISK_SIGNS.notable} People decided ${contradictions.length} of them otherwise.`, 'yellow')]),
  ];
}

function describeContradictions(items: readonly PreviewItem[], paint: Paint): Line[] {
  const more = items.length - MOST_ITEMS;
  const named = items.slice(0, MOST_ITEMS).map(({ headline, decision, by }) => {
    const who = by === undefined ? '' : ` by ${by}`;
    return `${DECISION_NAMES[decision]}${who}: ${headline}`;
  });
  return [
    { text: paint('This rule contradicts what people said. You will still be asked about exactly these:', 'yellow') },
    ...named.map((text) => ({ gutter: '  ', text: toVisibleLine(text, ITEM_CHARS) })),
    ...(more > 0 ? [{ gutter: '  ', text: `and ${more} more` }] : []),
  ];
}
