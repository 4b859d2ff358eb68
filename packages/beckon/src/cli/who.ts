import { hostname, userInfo } from 'node:os';

/** The person at this terminal, as others read it: "dev@laptop". */
export function toWho(): string {
  return `${userInfo().username}@${hostname()}`;
}
