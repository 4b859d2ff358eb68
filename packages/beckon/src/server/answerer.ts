import type { Caller, DeviceCaller } from '../core/access.ts';
import { NOTIFICATION } from '../core/answer-by-button.ts';
import type { Answerer } from '../protocol/interaction.ts';

/**
 * Who answers, as Beckon knows it: the name of the token or browser, and where the request came in. Anything else that
 * the sender says about itself is kept as a claim. A browser that names a notification is believed, because that only
 * takes rights away.
 */
export function toAnswerer(
  caller: Caller | DeviceCaller,
  place: 'api' | 'socket',
  { via, claimedBy }: { via?: string | undefined; claimedBy?: string | undefined },
): Answerer {
  const page = via === NOTIFICATION ? NOTIFICATION : 'inbox';
  const known = 'device' in caller ? page : place;
  const claim = {
    ...(claimedBy !== undefined && claimedBy !== caller.name && { who: claimedBy }),
    ...(via !== undefined && via !== known && { via }),
  };
  return { who: caller.name, via: known, ...(Object.keys(claim).length > 0 && { claim }) };
}
