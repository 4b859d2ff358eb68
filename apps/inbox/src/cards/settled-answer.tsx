import '../ui/beckon-components.css';
import { SettledAnswer as Settled } from 'beckon/react/parts';
import type { ComponentProps } from 'react';
import { useLoadContext } from '../context/use-load-context.ts';

/** A settled request of `beckon/react`, with the whole context. */
export function SettledAnswer(props: Omit<ComponentProps<typeof Settled>, 'loadContext'>) {
  return <Settled {...props} loadContext={useLoadContext()} />;
}
