import { toToolName, toVisibleLine } from 'beckon/presentation';
import type { ContextCall } from 'beckon/protocol';
import { classNames } from 'beckon/react/parts';
import { formatTook } from '../interactions/durations.ts';
import { texts } from './texts.ts';

const OUTCOMES = {
  ok: { sign: '✓', look: 'text-success' },
  failed: { sign: '✗', look: 'text-danger' },
  denied: { sign: '⊘', look: 'text-warning' },
  running: { sign: '…', look: 'text-muted' },
};

/** Shorter calls say nothing by their time. */
const SHOWN_MS = 500;

/** One call before the request, with what came of it. */
export function CallLine({ call: { tool, about, outcome, ms } }: { call: ContextCall }) {
  const { server, tool: name } = toToolName(tool);
  const shown = about === undefined || about === '' ? [server, name].filter(Boolean).join(': ') : about;
  return (
    <span
      className="inline-flex max-w-full items-baseline gap-1"
      title={toVisibleLine(`${tool}: ${shown}`, 300, 'code')}
    >
      {outcome !== undefined && (
        <span className={classNames('shrink-0 font-medium', OUTCOMES[outcome].look)}>
          <span aria-hidden="true">{OUTCOMES[outcome].sign}</span>
          <span className="sr-only">{texts.outcomes[outcome]}</span>
        </span>
      )}
      <bdi className="min-w-0 truncate font-mono text-xs">{toVisibleLine(shown, 60, 'code')}</bdi>
      {outcome === 'denied' && <span className="shrink-0 text-warning">{texts.outcomes.denied}</span>}
      {ms !== undefined && ms >= SHOWN_MS && (
        <span className="shrink-0 text-muted tabular-nums">{`(${formatTook(ms)})`}</span>
      )}
    </span>
  );
}
