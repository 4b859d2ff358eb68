import { ACP_AGENTS, toAcpDriver } from './drivers/acp.ts';
import { testClient } from './harness/client.testsuite.ts';

for (const agent of ACP_AGENTS) testClient(toAcpDriver(agent));
