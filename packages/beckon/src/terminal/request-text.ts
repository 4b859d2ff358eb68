import { toFileDiffs, toOtherFields } from '../diff/index.ts';
import { describeComponents } from '../presentation/component-text.ts';
import { toToolName } from '../presentation/tool-name.ts';
import { toJsonText, toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { Context } from '../protocol/context.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { describeDiffs } from './diff-text.ts';
import { describeFields } from './field-text.ts';
import { type Line, type Paint, toLines } from './line.ts';
import { describeFindings, describeMarked, type Marking } from './risk-text.ts';

/** What a description of a request needs besides the request. */
export interface Describing {
  /** `null`: there is none, or it is not known yet. */
  context: Context | null;
  paint: Paint;
  columns: number;
  /** Whether a diff has every unchanged line that is known. */
  isWhole?: boolean;
  /** Whether it is read aloud: then nothing is drawn under the words that a finding is about. */
  isSpoken?: boolean;
}

/** What is asked, in full. */
export function describeRequest(interaction: Interaction, describing: Describing): Line[] {
  switch (interaction.kind) {
    case 'question': {
      const { header, question, options } = interaction.request;
      const lines = options.map(({ label, description }) => `  - ${label}${description ? `: ${description}` : ''}`);
      return toLines(toVisible([...(header ? [`[${header}]`] : []), question, ...lines].join('\n')));
    }
    case 'plan_review':
      return toLines(toVisible(interaction.request.plan));
    case 'approval':
      return describeCall(interaction, interaction.request.input, describing);
    case 'form': {
      const { message, schema } = interaction.request;
      return [...toLines(toVisible(message)), ...toLines(toVisible(toJsonText(schema, 2), 'code'))];
    }
    case 'component':
      return toLines(describeComponents(interaction.request.components));
  }
}

/** What a tool would do with an input: the agent's, or one that the person edited. */
export function describeCall(
  interaction: InteractionOf<'approval'>,
  input: JsonObject,
  { context, paint, columns, isWhole = false, isSpoken = false }: Describing,
): Line[] {
  const { request } = interaction;
  const { tool, description } = request;
  const risk = assessRisk({ ...interaction, request: { ...request, input } });
  const diffs = toFileDiffs({ tool, input }, context?.files);
  // Of a diff, only the fields beside it are shown as they were sent.
  const isMarked = (path: readonly string[]): boolean => !isSpoken && diffs.length === 0 && path.length === 1;
  const findings = describeFindings(risk, input, paint, isMarked);
  const marking = { findings: isSpoken ? [] : risk.findings, paint, columns };
  // The agent's words cannot pose as the command below them.
  const about = [
    ...(findings.length === 0 ? [] : [...findings, { text: '' }]),
    ...(description === undefined ? [] : [...toLines(toVisible(description), paint('» ', 'dim')), { text: '' }]),
  ];
  if (diffs.length > 0) {
    const rest = describeFields(toOtherFields({ tool, input }), marking);
    return [
      ...about,
      ...describeDiffs(diffs, interaction, paint, isWhole),
      ...(rest.length === 0 ? [] : [{ text: '' }, ...rest]),
    ];
  }
  const { command, ...others } = input;
  if (tool === 'Bash' && typeof command === 'string') {
    return [
      ...about,
      ...describeTool(tool, paint),
      ...describeCommand(command, marking),
      ...describeFields(others, marking),
    ];
  }
  return [...about, ...describeTool(tool, paint), ...describeFields(input, marking)];
}

/** A command as it would be typed. Further lines cannot pose as fields below it. */
function describeCommand(command: string, marking: Omit<Marking, 'path'>): Line[] {
  const toGutter = (index: number): string => marking.paint(index === 0 ? '$ ' : '| ', 'cyan');
  return describeMarked(command, toGutter, { ...marking, path: ['command'], styles: ['bold'] });
}

function describeTool(name: string, paint: Paint): Line[] {
  const { server, tool } = toToolName(name);
  const toShown = (text: string): string => toVisibleLine(text, undefined, 'code');
  if (server === undefined) return [{ text: paint(toShown(tool), 'cyan') }];
  return [
    { gutter: 'Server  ', text: paint(toShown(server), 'cyan') },
    { gutter: 'Tool    ', text: `${paint(toShown(tool), 'cyan')} ${paint(`(${toShown(name)})`, 'dim')}` },
  ];
}
