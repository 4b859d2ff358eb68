import { type AnsweredBy, type Interaction, SAMPLES_ASKED_BY } from '../protocol/interaction.ts';
import { toVisibleLine } from './visible.ts';

const NAME_CHARS = 60;
const OVER_THE_API = 'over the API';

/**
 * Who asks, ready to be shown. `name` is what Beckon knows from the token. `claim` is what the agent calls itself:
 * nobody has checked it, so show it as a claim. `isSample`: Beckon itself asks, to show what agents ask.
 */
export interface Asker {
  name: string;
  claim?: string;
  isSample: boolean;
}

/** Finds out who asks. Nothing that an agent sends can make it look like another, or like Beckon. */
export function toAsker({ askedBy, askerId, metadata }: Pick<Interaction, 'askedBy' | 'askerId' | 'metadata'>): Asker {
  const isSample = askedBy === SAMPLES_ASKED_BY && askerId === undefined;
  const agent = metadata?.['agent'];
  const claim = typeof agent === 'string' ? toVisibleLine(agent, NAME_CHARS, 'code') : '';
  const name = askedBy === undefined ? 'an agent' : toVisibleLine(askedBy, NAME_CHARS, 'code');
  return { name, isSample, ...(claim !== '' && claim !== name && !isSample && { claim }) };
}

/** The same in one phrase: `laptop (calls itself "claude-code")`. Beckon's own samples say that they are samples. */
export function describeAsker(interaction: Pick<Interaction, 'askedBy' | 'askerId' | 'metadata'>): string {
  const { name, claim, isSample } = toAsker(interaction);
  if (isSample) return 'Beckon itself, as a sample';
  return claim === undefined ? name : `${name} (calls itself ${JSON.stringify(claim)})`;
}

/**
 * Who answered, and where: "ada in the inbox", or "a rule of ada". If the sender claims more than Beckon knows, the
 * claim follows: `laptop (says: ada, in the terminal)`.
 */
export function describeAnswerer(by: AnsweredBy | undefined): string {
  if (by !== undefined && isRule(by)) return toVisibleLine(nameAnswerer(by), undefined, 'code');
  const who = `${by?.kind === 'rule' ? 'the rule ' : ''}${by?.who}`;
  const { claim } = by ?? {};
  const claims = [claim?.who && toWord(claim.who), claim?.via && toPlace(claim.via)].filter(Boolean).join(', ');
  // Next to a claimed place, "over the API" adds nothing.
  const isVague = by?.via === undefined || (claim?.via !== undefined && toPlace(by.via) === OVER_THE_API);
  const place = isVague ? '' : ` ${toPlace(by.via)}`;
  return toVisibleLine(claims === '' ? `${who}${place}` : `${who}${place} (says: ${claims})`, undefined, 'code');
}

/** Who answered, without the place, as it is: "ada", or "a rule of ada". */
export function nameAnswerer(by: AnsweredBy): string {
  return isRule(by) ? `a rule of ${by.who}` : by.who;
}

// Who answers in process may call itself a rule, too.
function isRule({ kind, via }: AnsweredBy): boolean {
  return kind === 'rule' && via.startsWith('rule:');
}

/** Whether the person called `me` answered, as far as Beckon itself knows. */
export function isBy(by: AnsweredBy | undefined, me: string | undefined): boolean {
  return by !== undefined && by.who === me && by.kind === 'person';
}

function toPlace(via: string): string {
  switch (via) {
    case 'terminal':
      return 'in the terminal';
    case 'telegram':
      return 'in Telegram';
    case 'ntfy':
      return 'in ntfy';
    case 'slack':
      return 'in Slack';
    case 'inbox':
      return 'in the inbox';
    case 'notification':
      return 'in a notification';
    case 'cli':
      return 'on the command line';
    case 'api':
    case 'socket':
      return OVER_THE_API;
    case 'callback':
      return 'on the agent’s own page';
    default:
      return `via ${toWord(via)}`;
  }
}

// Punctuation in a name could end our sentence and begin another.
function toWord(text: string): string {
  return /^[\p{L}\p{N}_.:@+=~-]+$/u.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
