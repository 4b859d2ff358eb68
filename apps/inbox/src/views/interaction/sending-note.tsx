import { BeckonError, type Kind } from 'beckon/protocol';
import type { GroupSending, Sending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { useStore } from '../../state/store.ts';
import { DecisionButton } from '../../ui/decision-button.tsx';
import { toMessage } from '../../ui/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { texts as uiTexts } from '../../ui/texts.ts';
import { texts } from './texts.ts';

/** The state of an answer while the request is pending: under way, rejected, or not known to have arrived. */
export function SendingNote({
  kind,
  sending,
  onRetry,
}: {
  kind: Kind;
  sending: Sending | GroupSending | undefined;
  onRetry: () => void;
}) {
  const { inbox } = useApp();
  const connection = useStore(inbox.connection.state);
  if (sending === undefined) return null;
  if (sending.state === 'sending') {
    if (connection !== 'lost')
      return (
        <p role="status" className="sr-only">
          {texts.sending.sending}
        </p>
      );
    return (
      <Notice tone="warning" icon="offline" role="status" title={texts.sending.sending}>
        <p>{texts.sending.sendingWhileLost}</p>
      </Notice>
    );
  }
  if (sending.state === 'failed') return <Failed kind={kind} error={sending.error} onRetry={onRetry} />;
  if (sending.result.result !== 'unknown') return null;
  return (
    <Notice tone="danger" icon="warning" role="alert" title={texts.sending.unknown}>
      <p>{texts.sending.unknownHint}</p>
    </Notice>
  );
}

function Failed({ kind, error, onRetry }: { kind: Kind; error: unknown; onRetry: () => void }) {
  const isInvalid = error instanceof BeckonError && (error.code === 'invalid_answer' || error.code === 'invalid_input');
  if (isInvalid) {
    // A form shows these problems beside its fields.
    if (kind === 'form' && error.problems.length > 0) return null;
    return (
      <Notice tone="danger" icon="warning" role="alert" title={texts.sending.invalidTitle}>
        {error.problems.length === 0 && <p>{error.message}</p>}
        {error.problems.length > 0 && (
          <ul className="list-disc space-y-0.5 pl-4">
            {error.problems.map(({ path, expected, received }) => (
              <li key={`${path} ${expected}`}>{texts.sending.problem(path, expected, received)}</li>
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
      title={isUnsure ? texts.sending.unsureTitle : texts.sending.failedTitle}
      actions={
        <DecisionButton size="small" onClick={onRetry}>
          {uiTexts.tryAgain}
        </DecisionButton>
      }
    >
      <p>{toMessage(error)}</p>
      <p className="text-muted">{texts.sending.failedHint}</p>
    </Notice>
  );
}
