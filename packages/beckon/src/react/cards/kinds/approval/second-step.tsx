import { type FocusEvent, useEffect, useId, useRef } from 'react';
import type { Risk } from '../../../../protocol/index.ts';
import type { Offer } from '../../consent/press-watch.ts';
import { useKey } from '../../keyboard/use-key.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { texts } from './texts.ts';

/** More would not be read in this moment; the list above has them all. */
const MOST_REASONS = 3;

/**
 * The second of the two steps that a dangerous request needs. It says what will happen, and stands where the first
 * press was not: over the buttons, at the left. It takes the focus, so screen readers read it out, and whoever moves
 * the focus out of the bar has left it.
 */
export function SecondStep({
  offer,
  risk,
  onConfirm,
  onLeave,
}: {
  offer: Offer;
  risk: Risk | null | undefined;
  onConfirm: () => void;
  onLeave: () => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    box.current?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  useKey('A', onConfirm);
  useKey('Escape', onLeave, { isFirst: true });
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    // A second click on Allow takes the focus, and must not look as if nothing had happened.
    if (relatedTarget !== null && relatedTarget.closest('[data-decision-bar]') === null) onLeave();
  };
  const dangers = risk?.findings.filter(({ level }) => level === 'dangerous') ?? [];
  const sentences = [...new Set(dangers.map(({ sentence }) => sentence))];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it notices that the focus leaves
    <div
      ref={box}
      role="alertdialog"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      onBlur={onBlur}
      className="appear space-y-2 rounded-md border border-danger bg-danger-soft px-3 py-2.5 outline-none"
    >
      <div className="flex gap-2.5">
        <Icon name="warning" className="mt-0.5 text-danger" />
        <div className="min-w-0 space-y-0.5">
          <p id={`${id}-title`} className="font-semibold">
            {risk == null ? texts.risk.unknownTitle : texts.risk.title}
          </p>
          <div id={`${id}-about`}>
            {risk == null && <p>{texts.risk.unknownHint}</p>}
            {sentences.slice(0, MOST_REASONS).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            {sentences.length > MOST_REASONS && <p>{texts.risk.more(sentences.length - MOST_REASONS)}</p>}
          </div>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 pl-6.5">
        <Button
          data-decides
          look="danger"
          aria-disabled={!offer.isReady}
          aria-keyshortcuts="Shift+A"
          className="border-danger"
          onClick={onConfirm}
        >
          {texts.risk.allowAnyway}
          <KeyHint name="A" />
        </Button>
        <Button look="quiet" onClick={onLeave}>
          {texts.risk.leave}
        </Button>
      </div>
    </div>
  );
}
