import { toHeadline } from '../presentation/headline.ts';
import { RISK_SIGNS } from '../presentation/names.ts';
import { describePlace } from '../presentation/place.ts';
import { toVisible } from '../presentation/visible.ts';
import { describeAsker } from '../presentation/who.ts';
import { toApprovalAbilities } from '../protocol/abilities.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { isDangerous } from '../risk/is-dangerous.ts';
import { askForText, type Desk } from './desk.ts';
import { describeSize } from './diff-text.ts';
import { toRiskStyles } from './risk-text.ts';
import type { Key } from './screen.ts';
import { createScroll, openView, type View } from './view.ts';

/** One decision about several requests. */
export interface BulkDecision {
  ids: readonly string[];
  answer: AnswerInput;
}

const ENTER = ['return', 'enter'];
const LEFT_OUT = 'Dangerous, so left out. Open these to decide about each:';
const WORDS = { allow: 'Allow', deny: 'Deny', reason: 'Deny' } as const;

/**
 * Lists what one decision is about, each on its own, before it is sent with Enter: the key that opened the list decides
 * nothing. Each can be taken out. What is dangerous is not allowed together with others: it is left out, and named.
 * `null`: none is left.
 */
export async function decideAll(
  marked: readonly Interaction[],
  decision: 'allow' | 'deny' | 'reason',
  desk: Desk,
): Promise<BulkDecision | null> {
  const { screen, signal } = desk;
  const paint = screen.paint.bind(screen);
  const scroll = createScroll();
  const wordless = marked.filter((one) => one.kind === 'approval' && !toApprovalAbilities(one.request).denyText);
  if (decision === 'reason' && wordless.length > 0) {
    const who = `${wordless.length} of the ${marked.length} agents cannot read a reason`;
    desk.announce(`${who}. Deny them without one, or take their marks away.`);
    return null;
  }
  const message =
    decision === 'reason' ? await askForText(desk, `Why not? All ${marked.length} agents read this.`) : null;
  if (decision === 'reason' && message === null) return null;
  const answer: AnswerInput =
    decision === 'allow' ? { decision } : { decision: 'deny', ...(message !== null && { message }) };
  const style = decision === 'allow' ? 'green' : 'red';
  const texts = new Map(marked.map((interaction) => [interaction.id, describeOne(interaction)]));
  const leftOut = decision === 'allow' ? marked.filter(isDangerous) : [];
  let kept = marked.filter((interaction) => !leftOut.includes(interaction));
  let cursor = 0;
  let note = '';

  const press = ({ name }: Key): BulkDecision | 'none' | undefined => {
    note = '';
    if (name === 'up' || name === 'k') cursor = Math.max(0, cursor - 1);
    else if (name === 'down' || name === 'j') cursor = Math.min(kept.length - 1, cursor + 1);
    else if (name === 'x') {
      kept = kept.filter((_, index) => index !== cursor);
      cursor = Math.max(0, Math.min(cursor, kept.length - 1));
      screen.restartGuard();
      return kept.length === 0 ? 'none' : undefined;
    } else if (ENTER.includes(name)) {
      if (scroll.seen >= scroll.total) return { ids: kept.map(({ id }) => id), answer };
      note = 'Read to the end first: page down shows more.';
    }
    return undefined;
  };
  const toTitle = (): string => `${WORDS[decision]} ${kept.length === 1 ? 'this one' : `these ${kept.length}`}?`;
  const view: View<BulkDecision | 'none'> = {
    title: toTitle(),
    lines: () => [
      { text: paint(toTitle(), 'bold', style) },
      ...(message === null ? [] : [{ gutter: 'Because  ', text: toVisible(message) }]),
      { text: '' },
      ...kept.map(({ id }, index) => ({ gutter: index === cursor ? '> ' : '  ', text: texts.get(id) ?? '' })),
      ...(leftOut.length === 0 ? [] : [{ text: '' }, { text: paint(LEFT_OUT, ...toRiskStyles('dangerous')) }]),
      ...leftOut.map(({ id }) => ({ gutter: '  ', text: texts.get(id) ?? '' })),
    ],
    notes: () => (note === '' ? [] : [{ text: paint(note, 'yellow') }]),
    keys: () => [
      `enter: ${WORDS[decision].toLowerCase()} ${kept.length === 1 ? 'it' : `all ${kept.length}`}`,
      'x takes one out',
      'esc back',
    ],
    decides: ENTER,
    scrolls: ['pageup', 'pagedown', 'space', 'b', 'home', 'end'],
    press,
  };
  if (kept.length === 0) {
    desk.announce('What is dangerous is not allowed together with others. Open each to decide.');
    return null;
  }
  const did = await openView(screen, view, scroll, signal);
  return did === 'none' ? null : did;
}

/** A request on a line of its own, with all of its command. */
function describeOne(interaction: Interaction): string {
  const size = interaction.kind === 'approval' ? describeSize(interaction.request) : '';
  const place = describePlace(interaction);
  const from = `${place === '' ? '' : `${place} · `}${describeAsker(interaction)}`;
  const sign = RISK_SIGNS[assessRisk(interaction).level];
  return `${sign === '' ? '' : `${sign} `}${toHeadline(interaction, Number.POSITIVE_INFINITY)}${size === '' ? '' : ` ${size}`} (${from})`;
}
