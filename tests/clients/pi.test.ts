import { pi } from './drivers/pi.ts';
import { testClient } from './harness/client.testsuite.ts';

testClient(pi);
