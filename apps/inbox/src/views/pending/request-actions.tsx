import { useKey } from '../../keyboard/use-key.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
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
    <div className="-mb-1.5 flex items-center gap-1 px-2 pt-1 lg:px-5">
      {hasAlike && (
        <Button look="quiet" size="small" aria-keyshortcuts="a" onClick={onAlike}>
          <Icon name="log" />
          {texts.alike(alike)}
          <KeyHint name="a" />
        </Button>
      )}
      <Button look="quiet" size="small" aria-keyshortcuts="s" className="ml-auto" onClick={onSnooze}>
        <Icon name="snooze" />
        {isSnoozed ? texts.snooze.change : texts.snooze.open}
        <KeyHint name="s" />
      </Button>
    </div>
  );
}
