import { readCall } from '../calls/read-call.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { type Finding, type FindingPlace, RISK_LEVELS, type Risk } from '../protocol/risk.ts';
import { own } from '../protocol/tool-input.ts';
import { checkAddress } from './addresses.ts';
import { assessCommand } from './assess-command.ts';
import { assessFiles } from './assess-files.ts';
import { assessTool, type ReportAt } from './assess-tool.ts';
import { CODES, type Code } from './codes.ts';
import type { Where } from './files.ts';
import { checkCharacters, checkSecret } from './texts.ts';

const ROUTINE: Risk = { level: 'routine', findings: [] };
/** Most findings of one request: nobody reads more. */
const MOST_FINDINGS = 100;

/**
 * How much care a request needs, and why. It depends on nothing but the request and its context, so every surface says
 * the same. It never blocks: people are told, and take a second step for what is dangerous.
 */
export function assessRisk(interaction: Pick<Interaction, 'kind' | 'request' | 'context'>): Risk {
  if (!isApproval(interaction)) return ROUTINE;
  const { request, context } = interaction;
  const call = readCall(interaction);
  const { input } = request;
  const found = new Found();
  const where: Where = { root: context?.root ?? context?.folder, folder: call.folder ?? context?.folder };
  const { reportAt } = found;
  const { command, url } = call;
  if (command !== undefined) {
    const report = reportAt(command.path, command.text);
    assessCommand(command, where, report);
    checkCharacters(command.text, report);
    checkSecret(command.text, report);
  }
  if (url !== undefined) {
    const report = reportAt(url.path, url.text);
    checkAddress(url.text, (code) => report(code), 'tool');
    checkCharacters(url.text, report);
  }
  assessFiles(call, input, { where, context, reportAt });
  const isKnown = command !== undefined || url !== undefined || call.files.length > 0;
  if (!isKnown) assessTool(request.tool, input, where, reportAt, (code) => found.add(code));
  if (own(input, 'dangerouslyDisableSandbox') === true) found.add('sandbox-off');
  return found.toRisk();
}

// The pair of a kind and its request is known only to the whole union.
function isApproval(
  interaction: Pick<Interaction, 'kind' | 'request' | 'context'>,
): interaction is Pick<InteractionOf<'approval'>, 'kind' | 'request' | 'context'> {
  return interaction.kind === 'approval';
}

class Found {
  readonly #findings = new Map<string, Finding>();

  readonly reportAt: ReportAt = (path, text) => (code, place) => {
    const start = Math.max(0, place?.start ?? 0);
    this.add(code, { path, start, end: Math.min(text.length, place?.end ?? text.length) });
  };

  add(code: Code, place?: FindingPlace): void {
    const key = place === undefined ? code : JSON.stringify([code, place]);
    if (this.#findings.size >= MOST_FINDINGS && CODES[code].level !== 'dangerous') return;
    if (this.#findings.size < 2 * MOST_FINDINGS)
      this.#findings.set(key, { code, ...CODES[code], ...(place && { place }) });
  }

  /** The gravest first, then in the order of the text. Of two alike, one inside the other, the inner one stays. */
  toRisk(): Risk {
    const all = [...this.#findings.values()];
    const findings = all
      .filter(
        (finding) => !all.some((other) => other !== finding && other.code === finding.code && isInside(other, finding)),
      )
      .toSorted((one, other) => toRank(other) - toRank(one) || (one.place?.start ?? 0) - (other.place?.start ?? 0));
    const [gravest] = findings;
    return gravest === undefined ? ROUTINE : { level: gravest.level, findings };
  }
}

function isInside({ place: inner }: Finding, { place: outer }: Finding): boolean {
  if (inner === undefined || outer === undefined || inner.path.join('\0') !== outer.path.join('\0')) return false;
  return inner.start >= outer.start && inner.end <= outer.end;
}

function toRank({ level }: Finding): number {
  return RISK_LEVELS.indexOf(level);
}
