import type { ComponentProps } from 'react';
import { useIsInert } from '../consent/use-consent.ts';
import { Button } from './button.tsx';

/**
 * A button that decides a request. It looks dimmed while a press would be refused, but stays focusable: a refused
 * press is explained, not swallowed.
 */
export function DecisionButton({ isBusy = false, ...rest }: ComponentProps<typeof Button> & { isBusy?: boolean }) {
  const isInert = useIsInert();
  return <Button data-decides aria-disabled={isBusy || isInert} {...rest} />;
}
