import { getClient, isInPlace } from '../../../scripts/toolchain/clients.mjs';

/** Whether a client was brought. On CI all must be there. */
export function isInstalled(name: string): boolean {
  const client = getClient(name);
  if (isInPlace(client)) return true;
  const advice = `The real ${client.title} is not there. Bring it with: node scripts/clients.mjs ${name}`;
  if (process.env['CI'] === 'true') throw new Error(advice);
  console.warn(`${advice} (${client.megabytes} MB). Its tests are skipped.`);
  return false;
}
