import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { Button } from '../../ui/button.tsx';
import { toMessage } from '../../ui/error-text.ts';
import { Icon } from '../../ui/icon.tsx';
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
