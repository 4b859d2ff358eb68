import { opencode } from './drivers/opencode.ts';
import { testClient } from './harness/client.testsuite.ts';

testClient(opencode);
