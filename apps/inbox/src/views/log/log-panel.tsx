import { useQuery } from '@tanstack/react-query';
import { Loading } from 'beckon/react/parts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { Failure } from '../../ui/failure.tsx';
import { texts } from './texts.ts';
import { Timeline } from './timeline.tsx';

/** The log entries of one request. */
export function LogPanel({ id }: { id: string }) {
  const { history } = useApp();
  const log = useQuery({ queryKey: keys.log(id), queryFn: () => history.interactionLog(id) });
  if (log.isPending) return <Loading rows={3} />;
  if (log.isError) return <Failure title={texts.failed} error={log.error} onRetry={() => void log.refetch()} />;
  return (
    <>
      <h2 className="mb-3 text-sm font-semibold">{texts.title}</h2>
      <Timeline events={log.data.events} />
    </>
  );
}
