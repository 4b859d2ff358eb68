import { connectRules } from '../../client/connect-rules.ts';
import type { Rules } from '../../core/rules.ts';
import { type ClientOptions, RETRY_SECONDS, withBeckon } from '../client.ts';

/** Connects to Beckon's rules and runs the work. */
export async function withRules<Result>(
  options: ClientOptions,
  work: (rules: Rules) => Promise<Result>,
): Promise<Result> {
  return withBeckon(options, (_beckon, _config, { url, access }) =>
    work(connectRules(url, { ...access, retryFor: RETRY_SECONDS })),
  );
}
