import { useMutation } from '@tanstack/react-query';
import type { PersonalDestination, TestReply } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { useDestinations } from '../live/use-destinations.ts';
import { toDestinationMessage } from './destination-message.ts';
import { texts } from './texts.ts';
import { useKeepDestination } from './use-destination-list.ts';

/** Sends a code or a test, and what became of it in words. */
export interface Testing {
  isSending: boolean;
  isGood: boolean;
  /** Empty as long as nothing was sent. */
  said: string;
  send: () => void;
}

export function useTest({ id }: PersonalDestination): Testing {
  const destinations = useDestinations();
  const keepDestination = useKeepDestination();
  const test = useMutation({
    mutationFn: () => destinations.test(id),
    onSuccess: (reply) => keepDestination(reply.destination),
  });
  const said = test.isPending
    ? texts.test.sending
    : test.isError
      ? toDestinationMessage(test.error)
      : test.data === undefined
        ? ''
        : describeTest(test.data);
  return {
    isSending: test.isPending,
    isGood: !test.isError && (test.data === undefined || test.data.result === 'sent'),
    said,
    send: () => {
      if (!test.isPending) test.mutate();
    },
  };
}

/** What became of a code or a test. */
function describeTest({ result, error, needsCode, destination }: TestReply): string {
  const target = toVisibleLine(destination.target, 100);
  if (result !== 'sent') {
    return texts.test.notSent[result](error === undefined ? texts.test.noReason : toVisibleLine(error, 200));
  }
  if (needsCode) return texts.test.codeSent(target);
  return destination.kind === 'webhook' ? texts.test.taken(target) : texts.test.sent(target);
}
