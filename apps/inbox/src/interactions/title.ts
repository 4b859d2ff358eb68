import type { Interaction, Json, JsonObject } from 'beckon/protocol';
import { texts } from '../texts.ts';
import { toVisibleLine } from './visible-line.ts';

/** Fields of a tool's input that say best what it is about, the best first. */
const TELLING = ['command', 'file_path', 'path', 'url', 'query', 'pattern', 'description', 'prompt'];

/** What an interaction is about, on one line. */
export function toTitle(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return toVisibleLine(interaction.request.question);
    case 'plan_review':
      return toVisibleLine(toPlanTitle(interaction.request.plan)) || texts.kindNames.plan_review;
    case 'approval':
      return toApprovalTitle(interaction.request);
    case 'form':
      return toVisibleLine(interaction.request.message) || texts.kindNames.form;
    case 'component':
      return toVisibleLine(findText(interaction.request.components) ?? '') || texts.kindNames.component;
  }
}

/** Who asks, as far as the interaction says it. */
export function toAgent(interaction: Interaction): string {
  const agent = interaction.metadata?.['agent'];
  return toVisibleLine(typeof agent === 'string' && agent !== '' ? agent : (interaction.askedBy ?? texts.anAgent), 60);
}

/** Where in a call of several questions this one is; `null` for one that stands alone. */
export function toStep(interaction: Interaction): { step: number; steps: number } | null {
  const { step, steps } = interaction.metadata ?? {};
  if (typeof step !== 'number' || typeof steps !== 'number') return null;
  return Number.isInteger(step) && Number.isInteger(steps) && step >= 1 && steps > 1 && steps <= 100 && step <= steps
    ? { step, steps }
    : null;
}

/** Whether it is one of the samples that a new Beckon comes with. */
export function isSample(interaction: Interaction): boolean {
  return interaction.chatId === SAMPLES_CHAT_ID && Boolean(interaction.metadata?.['sample']);
}

/** The chat that the samples are in. */
export const SAMPLES_CHAT_ID = 'samples';

// The first heading; without one, the first line.
function toPlanTitle(plan: string): string {
  const start = plan.slice(0, 5000);
  return /^#{1,6}\s+(.+)$/m.exec(start)?.[1] ?? start.trim().split('\n', 1)[0] ?? '';
}

function toApprovalTitle({ tool, input, description }: { tool: string; input: JsonObject; description?: string | undefined }) {
  const told = TELLING.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '');
  const about = typeof told === 'string' ? told : (description ?? '');
  const name = toVisibleLine(tool, 60);
  return about === '' ? name : `${name}: ${toVisibleLine(about, 140)}`;
}

// The first text that a tree of components would show. Breadth is bounded, since agents write these trees.
function findText(tree: Json, depth = 0): string | undefined {
  if (tree === null || typeof tree !== 'object' || depth > 4) return undefined;
  const values = Array.isArray(tree) ? tree.slice(0, 10) : [];
  if (!Array.isArray(tree)) {
    for (const name of ['title', 'label', 'text', 'content', 'message']) {
      const value = tree[name];
      if (typeof value === 'string' && value !== '') return value;
    }
    values.push(...Object.values(tree).slice(0, 10));
  }
  for (const value of values) {
    const found = findText(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
