import { texts } from './texts.ts';
import type { SendState } from './use-callback-url.ts';

/** Shows the state of an event. Screen readers read out changes. */
export function SendStatus({ state, onRetry }: { state: SendState; onRetry: () => void }) {
  return (
    <div className="beckon beckon-status" role="status" data-status={state.status}>
      {state.status === 'sending' && texts.sending}
      {state.status === 'sent' && texts.sent}
      {state.status === 'failed' && (
        <>
          <span>{state.message}</span>
          {state.canRetry && (
            <button type="button" className="beckon-button beckon-small" onClick={onRetry}>
              {texts.retry}
            </button>
          )}
        </>
      )}
    </div>
  );
}
