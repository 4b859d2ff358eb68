import type { WhereFlags } from '../../where/find-beckon.ts';

/** The options of the hook command. */
export interface HookOptions {
  chatId?: string;
  timeout?: string;
  defer: boolean;
  /** The name of the event, for clients whose hooks do not say it. */
  event?: string;
  where: WhereFlags;
}

/** Reads the options after `beckon hook AGENT`. What it does not know is ignored: nobody reads a complaint. */
export function parseHookOptions(args: readonly string[]): HookOptions {
  const valueOf = (name: string): string | undefined => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const chatId = valueOf('--chat');
  const timeout = valueOf('--timeout');
  const event = valueOf('--event');
  return {
    defer: args.includes('--defer'),
    where: { url: valueOf('--url'), profile: valueOf('--profile'), host: valueOf('--host'), port: valueOf('--port') },
    ...(chatId !== undefined && { chatId }),
    ...(timeout !== undefined && { timeout }),
    ...(event !== undefined && { event }),
  };
}
