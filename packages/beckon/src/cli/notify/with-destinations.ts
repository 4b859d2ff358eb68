import { connectDestinations } from '../../client/connect-destinations.ts';
import type { Destinations } from '../../core/destinations.ts';
import type { PersonalDestination } from '../../protocol/destination.ts';
import { toDestinationNotFoundError } from '../../protocol/errors.ts';
import { type ClientOptions, RETRY_SECONDS, withBeckon } from '../client.ts';

/** Connects to Beckon's destinations and runs the work. */
export async function withDestinations<Result>(
  options: ClientOptions,
  work: (destinations: Destinations) => Promise<Result>,
): Promise<Result> {
  return withBeckon(options, (_beckon, _config, { url, access }) =>
    work(connectDestinations(url, { ...access, retryFor: RETRY_SECONDS })),
  );
}

/** One destination of the list. Throws `destination_not_found`. */
export async function findDestination(destinations: Destinations, id: string): Promise<PersonalDestination> {
  const found = (await destinations.list()).find((one) => one.id === id);
  if (found === undefined) throw toDestinationNotFoundError(id);
  return found;
}
