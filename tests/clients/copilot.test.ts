import { copilot } from './drivers/copilot.ts';
import { testClient } from './harness/client.testsuite.ts';

testClient(copilot);
