export { AcpClient, AgentFailure } from './client.ts';
export { ownObject, ownString, textOf } from './messages.ts';
export { AcpProxy } from './proxy.ts';
