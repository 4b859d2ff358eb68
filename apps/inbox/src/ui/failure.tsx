import { Button, Notice, toMessage } from 'beckon/react/parts';
import { texts } from './texts.ts';

/** Replaces content that could not be loaded. */
export function Failure({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  return (
    <div className="p-4">
      <Notice
        tone="danger"
        icon="warning"
        role="alert"
        title={title}
        actions={
          <Button size="small" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        }
      >
        <p>{toMessage(error)}</p>
      </Notice>
    </div>
  );
}
