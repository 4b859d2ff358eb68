import type { WhereFlags } from '../../where/find-beckon.ts';

/** The options of the hook command. */
export interface HookOptions {
  chatId?: string;
  timeout?: string;
  defer: boolean;
  where: WhereFlags;
}

/** Reads the options after `beckon hook claude-code`. What it does not know is ignored: nobody reads a complaint. */
export function parseHookOptions(args: readonly string[]): HookOptions {
  const valueOf = (name: string): string | undefined => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const chatId = valueOf('--chat');
  const timeout = valueOf('--timeout');
  return {
    defer: args.includes('--defer'),
    where: { url: valueOf('--url'), profile: valueOf('--profile'), host: valueOf('--host'), port: valueOf('--port') },
    ...(chatId !== undefined && { chatId }),
    ...(timeout !== undefined && { timeout }),
  };
}
