// Runs on a machine of a test's network: stands in for the push service whose name and certificate it is given. Prints
// the flags that a Chromium needs, then the number of messages that it has accepted, whenever there is another.
import { readFileSync } from 'node:fs';
import { toTrustedKey } from '../../packages/beckon/src/testing/harness/certificates.ts';
import { PushService } from '../harness/push-service.ts';

const [host = '', cert = '', key = ''] = process.argv.slice(2);
const certificate = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8'), spki: toTrustedKey({ cert }) };
const service = await PushService.open({ host, certificate });
console.log(JSON.stringify(service.flags));
process.stdin.resume().on('end', () => process.exit(0));
