import { hostname, userInfo } from 'node:os';

/** The person at this terminal, as others read it: "dev@laptop". */
export function toWho(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return hostname(); // In a container, the user may have no name.
  }
}
