import { codex } from './drivers/codex.ts';
import { testClient } from './harness/client.testsuite.ts';

testClient(codex);
