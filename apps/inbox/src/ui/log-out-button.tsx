import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useApp } from '../live/app-context.ts';
import { keys } from '../live/keys.ts';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';
import { toMessage } from './error-text.ts';
import { Icon } from './icon.tsx';

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
        {texts.devices.logOut}
      </Button>
      {logOut.isError && (
        <p role="alert" className="text-xs text-danger">
          {texts.devices.logOutFailed} {toMessage(logOut.error)}
        </p>
      )}
    </>
  );
}
