import type { Refusal } from '../consent/decision-guard.ts';
import { Icon } from '../ui/icon.tsx';
import { texts } from './texts.ts';

/** Says over the buttons why a press sent nothing. */
export function RefusedNote({ refusal }: { refusal: Refusal }) {
  return (
    <p className="flex items-center gap-2 bg-warning-soft px-3 py-2 text-sm text-ink lg:px-6">
      <Icon name="warning" className="text-warning" />
      {texts.notSent[refusal]}
    </p>
  );
}
