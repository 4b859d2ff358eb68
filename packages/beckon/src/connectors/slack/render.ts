import { ALLOW_ANYWAY } from '../../core/words.ts';
import { toHeadline } from '../../presentation/headline.ts';
import { DECISION_NAMES, KIND_NAMES } from '../../presentation/names.ts';
import { toVisible } from '../../presentation/visible.ts';
import { toApprovalAbilities, toPlanAbilities, toQuestionAbilities } from '../../protocol/abilities.ts';
import { toDecision } from '../../protocol/decision.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { RiskLevel } from '../../protocol/risk.ts';
import { cutText } from '../shared/cut-text.ts';
import type { Piece } from '../shared/piece.ts';
import { type Surroundings, toOutcomeText, toRequestText, toUntil } from '../shared/request-text.ts';
import { type Actions, type Block, toFallback, toRichText } from './blocks.ts';
import { toActions } from './choices.ts';
import { toFormFields } from './form-fields.ts';

/** What is longer goes into a file. Slack says no number; it was seen to refuse about 13,000 characters in all. */
const MOST_CHARS = 9000;
const EXCERPT_CHARS = 1500;
const OUTCOME_CHARS = 500;

/** A message: its blocks, what a notification says of it, and a label of ours for where only a text can stand. */
export interface MessageContent {
  blocks: Block[];
  notice: string;
  label: string;
}

/** How to show an interaction. */
export interface Face {
  surroundings: Surroundings;
  controls: readonly Actions[];
  /** The name of the block with the text. */
  blockId: string;
  /** Whether the page can be named. */
  hasPage: boolean;
  /** Whether the text must go into a file, however short it is: Slack has refused it as too long. */
  isLong: boolean;
}

/** An interaction as a message, and what is too long for it. The agent's text is data: none of it is markup. */
export interface Rendered extends MessageContent {
  file?: { name: string; text: string };
}

export function render(interaction: Interaction, face: Face): Rendered {
  const toOwnHint = (level: RiskLevel): string => toHint(interaction, level, face.hasPage);
  const { head, body, foot, name } = toRequestText(interaction, face.surroundings, toOwnHint);
  const isPending = interaction.status === 'pending';
  const end: Piece[] = isPending
    ? foot
    : [{ text: '\n\n' }, { text: toOutcomeText(interaction, OUTCOME_CHARS), style: 'bold' }];
  const pieces = [...head, ...body, ...end];
  const notice = toFallback(toHeadline(interaction));
  const label = [KIND_NAMES[interaction.kind], ...(isPending ? [] : [DECISION_NAMES[toDecision(interaction)]])].join(
    ': ',
  );
  const controls = isPending ? face.controls : [];
  const whole = body.map((piece) => piece.text).join('');
  if (!face.isLong && countChars(pieces) + countLabels(controls) <= MOST_CHARS) {
    return { notice, label, blocks: [toRichText(pieces, face.blockId), ...controls] };
  }
  // Slack may show other formats with their markup.
  const fileName = name.endsWith('.txt') ? name : `${name}.txt`;
  const note = `All ${whole.length} characters are in ${fileName}, in the thread. It begins:\n\n`;
  const excerpt: Piece[] = [{ text: note }, { text: cutText(whole, EXCERPT_CHARS), style: 'pre' }];
  const blocks = [toRichText([...head, ...excerpt, ...end], face.blockId), ...controls];
  return { notice, label, blocks, file: { name: fileName, text: whole } };
}

/** A message before its file is there: nobody may decide about what they cannot read yet. */
export function withoutControls({ notice, label, blocks }: Rendered): MessageContent {
  const note = toRichText([{ text: 'The buttons come when the whole text is in the thread.' }]);
  return { notice, label, blocks: [...blocks.filter(({ type }) => type === 'rich_text'), note] };
}

/** Something that is no interaction. It may have words of agents in it. */
export function toSaying(text: string): MessageContent {
  const shown = cutText(toVisible(text), MOST_CHARS);
  return { notice: toFallback(text), label: 'Beckon', blocks: [toRichText([{ text: shown }])] };
}

function toHint(interaction: Interaction, level: RiskLevel, hasPage: boolean): string {
  const until = toUntil(interaction);
  switch (interaction.kind) {
    case 'question': {
      const { options, multiSelect } = interaction.request;
      if (options.length === 0) return `Reply in the thread with your answer.${until}`;
      const how = multiSelect === true ? 'Choose what applies and press Done' : 'Choose one';
      const own = toQuestionAbilities(interaction.request).ownWords ? ', or reply in the thread in your own words' : '';
      return `${how}${own}.${until}`;
    }
    case 'plan_review':
      if (!toPlanAbilities(interaction).feedback) return `Press a button.${until}`;
      return interaction.awaitingFeedback
        ? `It was sent back. Reply in the thread with what should change.${until}`
        : `Press a button, or reply in the thread with what should change.${until}`;
    case 'approval':
      if (level === 'dangerous') {
        return `Press a button; Allow asks once more. A reply in the thread other than “${ALLOW_ANYWAY}” does not allow it.${until}`;
      }
      if (!toApprovalAbilities(interaction.request).denyText) {
        return `Press a button, or reply yes or no in the thread.${until}`;
      }
      return `Press a button. A reply in the thread other than a plain yes denies it, with your words as the reason.${until}`;
    case 'form':
      if (toFormFields(interaction.request.schema) !== null) return `Press Fill in.${until}`;
      return `${toElsewhere(interaction.id, hasPage, 'This form has fields that Slack does not have.')}${until}`;
    case 'component':
      if (toActions(interaction).length > 0) return `Press a button.${until}`;
      return `${toElsewhere(interaction.id, hasPage, 'Slack cannot show this screen.')}${until}`;
  }
}

function toElsewhere(id: string, hasPage: boolean, why: string): string {
  return hasPage ? `${why} Open the page.` : `${why} On the computer: beckon answer ${id}.`;
}

function countChars(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

function countLabels(controls: readonly Actions[]): number {
  return controls
    .flatMap(({ elements }) => elements)
    .reduce((sum, element) => {
      const labels = element.type === 'button' ? [element.text] : element.options.map(({ text }) => text);
      return sum + labels.reduce((chars, { text }) => chars + text.length, 0);
    }, 0);
}
