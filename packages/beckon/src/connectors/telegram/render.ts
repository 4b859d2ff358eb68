import { ALLOW_ANYWAY } from '../../core/words.ts';
import { toApprovalAbilities, toPlanAbilities, toQuestionAbilities } from '../../protocol/abilities.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { RiskLevel } from '../../protocol/risk.ts';
import { cutText } from '../shared/cut-text.ts';
import type { Piece } from '../shared/piece.ts';
import { type Surroundings, toOutcomeText, toRequestText, toUntil } from '../shared/request-text.ts';
import { MOST_OPTIONS } from './choices.ts';
import { type MessageText, toMessages } from './split.ts';

/** The longest text of one message. */
export const MESSAGE_CHARS = 4096;
/** Room in every message for the line that says how it ended. */
const OUTCOME_CHARS = 500;
const PART_CHARS = MESSAGE_CHARS - OUTCOME_CHARS - 2;
/** A text that needs more messages is sent as a document. */
const MOST_PARTS = 4;
const EXCERPT_CHARS = 1500;

/** What is sent for an interaction, in order; the last message has the buttons. */
export interface Rendered {
  document?: { name: string; text: string };
  messages: MessageText[];
}

/** Turns an interaction into Telegram messages. The agent's text is data: nothing in it is read as markup. */
export function render(interaction: Interaction, surroundings: Surroundings = {}): Rendered {
  const toOwnHint = (level: RiskLevel): string => toHint(interaction, level);
  const { head, body, foot, name } = toRequestText(interaction, surroundings, toOwnHint);
  const messages = toMessages([...head, ...body, ...foot], PART_CHARS);
  if (messages.length <= MOST_PARTS) return { messages };
  const whole = body.map(({ text }) => text).join('');
  const note = `All ${whole.length} characters are in the document above. It begins:\n\n`;
  const excerpt: Piece[] = [{ text: note }, { text: cutText(whole, EXCERPT_CHARS) }];
  return { document: { name, text: whole }, messages: toMessages([...head, ...excerpt, ...foot], PART_CHARS) };
}

/** A message with the outcome below it. */
export function withOutcome(message: MessageText, interaction: Interaction): MessageText {
  const outcome = toOutcomeText(interaction, OUTCOME_CHARS);
  const offset = message.text.length + 2;
  return {
    text: `${message.text}\n\n${outcome}`,
    entities: [...message.entities, { type: 'bold', offset, length: outcome.length }],
  };
}

function toHint(interaction: Interaction, level: RiskLevel): string {
  const until = toUntil(interaction);
  switch (interaction.kind) {
    case 'question': {
      const { options, multiSelect } = interaction.request;
      if (options.length === 0) return `Reply with your answer.${until}`;
      const many = options.length > MOST_OPTIONS ? ` Options after ${MOST_OPTIONS} have no button: type them.` : '';
      const how = multiSelect === true ? 'Mark what applies and press Done' : 'Press a button';
      const own = toQuestionAbilities(interaction.request).ownWords ? ', or reply in your own words' : '';
      return `${how}${own}.${many}${until}`;
    }
    case 'plan_review':
      return `Press a button${toPlanAbilities(interaction).feedback ? ', or reply with what should change' : ''}.${until}`;
    case 'approval':
      if (level === 'dangerous') {
        return `Press a button; Allow asks once more. A reply other than “${ALLOW_ANYWAY}” does not allow it.${until}`;
      }
      if (!toApprovalAbilities(interaction.request).denyText) return `Press a button, or reply yes or no.${until}`;
      return `Press a button. A reply other than a plain yes denies it, with your words as the reason.${until}`;
    case 'form':
    case 'component':
      return `This cannot be answered in Telegram. On the computer: beckon answer ${interaction.id}${until && `.${until}`}`;
  }
}
