import { qwen } from './drivers/qwen.ts';
import { testClient } from './harness/client.testsuite.ts';

testClient(qwen);
