import { promises as dns } from 'node:dns';

/** All addresses of a host. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<string[]>;

/** What says that a name server knows no such name, or that there is no name server. The system may know it. */
const ASK_THE_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ENOSERVER']);

/**
 * Asks the name servers, and then the system, which knows the names of its own files. Not the system first: it looks
 * names up in a few threads that the whole process shares, and a name server that hangs would hold them all.
 */
export const resolveHost: ResolveHost = async (host) => {
  const resolver = new dns.Resolver({ timeout: 3000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length > 0) return addresses;
  for (const result of found) {
    const { code } = (result.status === 'rejected' ? result.reason : {}) as NodeJS.ErrnoException;
    if (code !== undefined && !ASK_THE_SYSTEM.has(code))
      throw new Error(`The name ${host} cannot be looked up (${code})`);
  }
  return (await dns.lookup(host, { all: true })).map(({ address }) => address);
};
