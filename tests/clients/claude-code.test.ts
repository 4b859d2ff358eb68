import { claudeCode } from './drivers/claude-code.ts';
import { testClient } from './harness/client.testsuite.ts';

testClient(claudeCode);
