import type { AnswerResult } from '../../../core/beckon.ts';
import { BeckonError, type Kind } from '../../../protocol/index.ts';
import { DecisionButton } from '../ui/decision-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { toMessage } from './error-text.ts';
import type { Sent } from './sender.ts';
import { texts } from './texts.ts';

/** The state of an answer while the request is pending: under way, rejected, or not known to have arrived. */
export function SendingNote({
  kind,
  sending,
  isLost = false,
  onRetry,
}: {
  kind: Kind;
  sending: Sent<unknown, Pick<AnswerResult, 'result'>> | undefined;
  /** The connection is lost, so the answer waits. */
  isLost?: boolean;
  onRetry: () => void;
}) {
  if (sending === undefined) return null;
  if (sending.state === 'sending') {
    if (!isLost)
      return (
        <p role="status" className="sr-only">
          {texts.sending}
        </p>
      );
    return (
      <Notice tone="warning" icon="offline" role="status" title={texts.sending}>
        <p>{texts.sendingWhileLost}</p>
      </Notice>
    );
  }
  if (sending.state === 'failed') return <Failed kind={kind} error={sending.error} onRetry={onRetry} />;
  if (sending.result.result !== 'unknown') return null;
  return (
    <Notice tone="danger" icon="warning" role="alert" title={texts.unknown}>
      <p>{texts.unknownHint}</p>
    </Notice>
  );
}

function Failed({ kind, error, onRetry }: { kind: Kind; error: unknown; onRetry: () => void }) {
  const isInvalid = error instanceof BeckonError && (error.code === 'invalid_answer' || error.code === 'invalid_input');
  if (isInvalid) {
    // A form shows these problems beside its fields.
    if (kind === 'form' && error.problems.length > 0) return null;
    return (
      <Notice tone="danger" icon="warning" role="alert" title={texts.invalidTitle}>
        {error.problems.length === 0 && <p>{error.message}</p>}
        {error.problems.length > 0 && (
          <ul className="list-disc space-y-0.5 pl-4">
            {error.problems.map(({ path, expected, received }) => (
              <li key={`${path} ${expected}`}>{texts.problem(path, expected, received)}</li>
            ))}
          </ul>
        )}
      </Notice>
    );
  }
  // Without a reply, nobody knows whether the server has the answer.
  const isUnsure = error instanceof BeckonError && error.code === 'unreachable';
  return (
    <Notice
      tone="danger"
      icon="warning"
      role="alert"
      title={isUnsure ? texts.unsureTitle : texts.failedTitle}
      actions={
        <DecisionButton size="small" onClick={onRetry}>
          {texts.tryAgain}
        </DecisionButton>
      }
    >
      <p>{toMessage(error)}</p>
      <p className="text-muted">{texts.failedHint}</p>
    </Notice>
  );
}
