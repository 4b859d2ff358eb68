import { readCall } from '../calls/read-call.ts';
import { toJsonText, toVisibleLine } from '../presentation/visible.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { assessRisk } from './assess-risk.ts';

/** Notifications are cut by the system that shows them. This much is left on a phone. */
const MOST_CHARS = 120;

/**
 * What a button on a notification decides, in full: the buttons may be there only beside this text. `null`: the request
 * must be opened, because it is no approval, or not routine, or more than a notification can show.
 */
export function toOneTapText(interaction: Interaction): string | null {
  if (interaction.kind !== 'approval' || assessRisk(interaction).level !== 'routine') return null;
  const text = toWholeCall(interaction)?.trim();
  // Shown as it is: nothing cut, joined or marked.
  return text !== undefined && text !== '' && toVisibleLine(text, MOST_CHARS, 'code') === text ? text : null;
}

function toWholeCall(interaction: InteractionOf<'approval'>): string | undefined {
  const { tool, input } = interaction.request;
  const { family, command, url, files, folder, others } = readCall(interaction);
  // Whoever allows a change of a file looks at the change.
  if (family === 'edit') return undefined;
  const isAll = others.length === 0 && folder === undefined;
  if (isAll && command !== undefined) return command.text;
  if (isAll && url !== undefined) return `Fetch ${url.text}`;
  if (isAll && family === 'read' && files.length === 1) return `Read ${files[0]?.text}`;
  return Object.keys(input).length === 0 ? tool : `${tool} ${toJsonText(input)}`;
}
