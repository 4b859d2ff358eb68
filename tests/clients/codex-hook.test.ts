import { codexHook } from './drivers/codex-hook.ts';
import { testClient } from './harness/client.testsuite.ts';

testClient(codexHook);
