import { findBeckon } from '../../where/find-beckon.ts';
import { finishInstall } from '../claude/finish-install.ts';
import { findHookCaller } from '../claude/hook-target.ts';

/** What Beckon's code in an agent needs besides its file: a token of its own. Returns remarks for people. */
export async function prepareInside(name: string, title: string): Promise<string[]> {
  const found = findBeckon();
  const caller = found.isOwn ? null : await findHookCaller(found);
  const { done, warnings } = await finishInstall(found, caller, { name, title });
  return [...done, ...warnings];
}
