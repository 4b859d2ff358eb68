import type { ComponentProps } from 'react';
import { useIsInert } from '../consent/use-consent.ts';
import { Button } from './button.tsx';

/**
 * A button that decides. It looks inert while a press would decide nothing, and keeps the focus: a press is refused with words, not
 * swallowed.
 */
export function DecisionButton({ isBusy = false, ...rest }: ComponentProps<typeof Button> & { isBusy?: boolean }) {
  const isInert = useIsInert();
  return <Button data-decides aria-disabled={isBusy || isInert} {...rest} />;
}
