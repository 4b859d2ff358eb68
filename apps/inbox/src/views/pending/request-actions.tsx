import { Button, Icon, KeyHint, useKey } from 'beckon/react/parts';
import { texts } from './texts.ts';

/** What can be done with the open request besides deciding it. */
export function RequestActions({
  alike,
  isSnoozed,
  onAlike,
  onSnooze,
}: {
  /** How many requests are like this one, itself included. */
  alike: number;
  isSnoozed: boolean;
  onAlike: () => void;
  onSnooze: () => void;
}) {
  const hasAlike = alike > 1;
  useKey('a', onAlike, { isOn: hasAlike });
  useKey('s', onSnooze);
  return (
    <>
      {hasAlike && (
        <Button look="quiet" size="small" aria-keyshortcuts="a" onClick={onAlike}>
          <Icon name="alike" />
          <span className="sm:hidden" aria-hidden="true">
            {alike}
          </span>
          <span className="max-sm:sr-only">{texts.alike(alike)}</span>
          <KeyHint name="a" />
        </Button>
      )}
      <Button look="quiet" size="small" aria-keyshortcuts="s" onClick={onSnooze}>
        <Icon name="snooze" />
        <span className="max-sm:sr-only">{isSnoozed ? texts.snooze.change : texts.snooze.open}</span>
        <KeyHint name="s" />
      </Button>
    </>
  );
}
