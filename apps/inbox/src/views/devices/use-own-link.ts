import { useQuery } from '@tanstack/react-query';
import type { Device } from 'beckon/client';
import { useState } from 'react';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { findOwnUrl } from '../../state/own-address.ts';
import { judgeForPhone, type PhoneAdvice, toPhoneLink } from './phone-address.ts';

/** How often the page looks whether the phone has come in. */
const LOOK_MS = 1500;

/** A link for one more device of this person, and the device once it has come in. */
export interface OwnLink {
  isPending: boolean;
  error: unknown;
  link: { url: string; expiresAt: string; advice: PhoneAdvice } | undefined;
  /** The device that came in while the link was shown. */
  arrived: Device | undefined;
  /** Makes another link. The one before stays good until it expires. */
  makeAnother: () => void;
}

export function useOwnLink(): OwnLink {
  const { account, me } = useApp();
  const [round, setRound] = useState(0);
  const made = useQuery({
    queryKey: keys.ownLink(round),
    queryFn: async () => {
      // Whoever is there before the link cannot have come by it.
      const known = new Set((await account.devices()).map(({ id }) => id));
      const { url, expiresAt } = await account.createOwnLink();
      const own = { url: findOwnUrl(), isSecureContext };
      const link = toPhoneLink(url, own);
      return { known, link: { url: link, expiresAt, advice: judgeForPhone(link, own) } };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const known = made.data?.known;
  const isOwnAndNew = ({ id, who, chatId }: Device): boolean =>
    known?.has(id) === false && who === me.who && chatId === me.chatId;
  const devices = useQuery({
    queryKey: keys.devices,
    queryFn: () => account.devices(),
    staleTime: 0,
    enabled: known !== undefined,
    refetchInterval: ({ state }) => (state.data?.some(isOwnAndNew) === true ? false : LOOK_MS),
  });
  return {
    isPending: made.isPending,
    error: made.error,
    link: made.data?.link,
    arrived: devices.data?.find(isOwnAndNew),
    makeAnother: () => setRound(round + 1),
  };
}
