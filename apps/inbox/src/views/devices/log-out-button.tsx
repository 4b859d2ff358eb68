import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Icon, toMessage } from 'beckon/react/parts';
import { useLocation } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { texts } from './texts.ts';

/** Logs this browser out. */
export function LogOutButton() {
  const { account } = useApp();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const logOut = useMutation({
    mutationFn: () => account.logOut(),
    onSuccess: () => {
      navigate('/', { replace: true });
      queries.setQueryData(keys.me, null);
    },
  });
  return (
    <>
      <Button disabled={logOut.isPending} onClick={() => logOut.mutate()}>
        <Icon name="logout" />
        {texts.logOut}
      </Button>
      {logOut.isError && (
        <p role="alert" className="text-xs text-danger">
          {texts.logOutFailed} {toMessage(logOut.error)}
        </p>
      )}
    </>
  );
}
