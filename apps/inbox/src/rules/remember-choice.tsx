import { classNames, Kbd, useKeysOn } from 'beckon/react/parts';
import { type ReactNode, useId } from 'react';

/** One thing that could be remembered: a sentence to choose, and what follows from it. */
export function RememberChoice({
  place,
  isPicked,
  onPick,
  about,
  children,
}: {
  place: number;
  isPicked: boolean;
  onPick: () => void;
  about: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const hasKeys = useKeysOn();
  return (
    <div className={classNames('flex items-start gap-2.5 px-3 py-2', isPicked && 'bg-accent-soft')}>
      <input
        id={id}
        type="radio"
        name="remember"
        checked={isPicked}
        onChange={onPick}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0 flex-1 space-y-0.5">
        <label htmlFor={id} className="block cursor-pointer text-sm [overflow-wrap:anywhere] pointer-coarse:py-1.5">
          {children}
        </label>
        {about}
      </div>
      {hasKeys && place < 9 && (
        <span aria-hidden="true" className="max-lg:hidden pointer-coarse:hidden">
          <Kbd>{String(place + 1)}</Kbd>
        </span>
      )}
    </div>
  );
}
