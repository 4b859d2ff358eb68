import { useStore } from 'beckon/react/parts';
import { useApp } from './app-context.ts';

/** Whether the connection to Beckon is lost. */
export function useIsLost(): boolean {
  const { inbox } = useApp();
  return useStore(inbox.connection.state, (state) => state === 'lost');
}
