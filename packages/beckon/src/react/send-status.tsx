import { texts } from './texts.ts';
import type { SendState } from './use-callback-url.ts';

/** Tells the person how far what they did has come. It is read out when it changes. */
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
