import { describeOutcome } from '../../presentation/describe-outcome.ts';
import { describeStep } from '../../presentation/names.ts';
import { toJsonText, toVisible, toVisibleLine } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import { MOST_OPTIONS } from './choices.ts';
import { cutText, type MessageText, type Piece, toMessages } from './split.ts';

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
export function render(interaction: Interaction): Rendered {
  const { title, body, name } = describe(interaction);
  const head: Piece[] = [
    { text: toVisibleLine(title, 200, interaction.kind === 'approval' ? 'code' : 'prose'), style: 'bold' },
    { text: `\nfrom ${describeAsker(interaction)}\n\n` },
  ];
  const foot: Piece[] = [{ text: `\n\n${toHint(interaction)}` }];
  const shown = body.map((piece) => ({
    ...piece,
    text: toVisible(piece.text, piece.style === 'pre' ? 'code' : 'prose'),
  }));
  const messages = toMessages([...head, ...shown, ...foot], PART_CHARS);
  if (messages.length <= MOST_PARTS) return { messages };
  const whole = shown.map(({ text }) => text).join('');
  const note = `All ${whole.length} characters are in the document above. It begins:\n\n`;
  const excerpt: Piece[] = [{ text: note }, { text: cutText(whole, EXCERPT_CHARS) }];
  return { document: { name, text: whole }, messages: toMessages([...head, ...excerpt, ...foot], PART_CHARS) };
}

/** How an interaction ended, cut to the room there is. */
export function toOutcomeText(interaction: Interaction): string {
  return cutText(describeOutcome(interaction), OUTCOME_CHARS);
}

/** A message with the outcome below it. */
export function withOutcome(message: MessageText, interaction: Interaction): MessageText {
  const outcome = toOutcomeText(interaction);
  const offset = message.text.length + 2;
  return {
    text: `${message.text}\n\n${outcome}`,
    entities: [...message.entities, { type: 'bold', offset, length: outcome.length }],
  };
}

function describe(interaction: Interaction): { title: string; body: Piece[]; name: string } {
  switch (interaction.kind) {
    case 'question':
      return {
        title: [interaction.request.header || 'Question', describeStep(interaction)].filter(Boolean).join(' · '),
        body: toQuestionBody(interaction),
        name: 'question.txt',
      };
    case 'plan_review':
      return { title: 'Plan review', body: [{ text: interaction.request.plan }], name: 'plan.md' };
    case 'approval': {
      const { tool, input, description } = interaction.request;
      const json = toJsonText(input, 2);
      const about = description ? [{ text: `${description}\n\n` }] : [];
      return { title: `Allow ${tool}?`, body: [...about, { text: json, style: 'pre' }], name: 'input.json.txt' };
    }
    case 'form':
      return { title: 'Form', body: [{ text: interaction.request.message }], name: 'form.txt' };
    case 'component':
      return {
        title: 'Screen',
        body: [
          { text: 'An agent shows a screen and waits for you.\n\n' },
          { text: toJsonText(interaction.request.components, 2), style: 'pre' },
        ],
        name: 'screen.json.txt',
      };
  }
}

function toQuestionBody({ request }: InteractionOf<'question'>): Piece[] {
  const options = request.options.flatMap(({ label, description, preview }, index): Piece[] => [
    { text: `${index === 0 ? '\n\n' : '\n'}${index + 1}. ${label}${description ? `: ${description}` : ''}` },
    ...(preview ? [{ text: '\n' }, { text: preview, style: 'pre' as const }] : []),
  ]);
  return [{ text: request.question }, ...options];
}

function toHint(interaction: Interaction): string {
  const { expiresAt, id } = interaction;
  const until = expiresAt === undefined ? '' : ` It waits until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`;
  switch (interaction.kind) {
    case 'question': {
      const { options, multiSelect } = interaction.request;
      if (options.length === 0) return `Reply with your answer.${until}`;
      const many = options.length > MOST_OPTIONS ? ` Options after ${MOST_OPTIONS} have no button: type them.` : '';
      const how = multiSelect === true ? 'Mark what applies and press Done' : 'Press a button';
      return `${how}, or reply in your own words.${many}${until}`;
    }
    case 'plan_review':
      return `Press a button, or reply with what should change.${until}`;
    case 'approval':
      return `Press a button. A reply other than a plain yes denies it, with your words as the reason.${until}`;
    case 'form':
    case 'component':
      return `This cannot be answered in Telegram. On the computer: beckon answer ${id}${until && `.${until}`}`;
  }
}
