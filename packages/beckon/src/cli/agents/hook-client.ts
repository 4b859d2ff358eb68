import { existsSync } from 'node:fs';
import { readIfThere } from '../../machine/private-file.ts';
import { finishInstall } from '../claude/finish-install.ts';
import { findHookTarget, toHookWhere } from '../claude/hook-target.ts';
import { tryHook } from '../claude/try-hook.ts';
import type { AgentClient, AgentReport } from './agent-client.ts';
import { findProgram } from './find-program.ts';
import { parseHookLine, toHookLine } from './hook-line.ts';

/** How long people have to answer, and how long the client waits for its hook: an hour more. */
const ASK_SECONDS = 23 * 3600;
const WAIT_SECONDS = 24 * 3600;
const REPORT_SECONDS = 10;

/** One hook that Beckon wants to have in a client's file. */
export interface PlannedHook {
  event: string;
  /** The command, for a shell. */
  line: string;
  /** How long the client should wait for it. */
  seconds: number;
}

/** A file of a client that names its hooks. */
export interface HookFile {
  path(): string;
  /** The commands in a text that may be Beckon's. Throws `invalid_input` if the text is not valid. */
  listLines(text: string, path: string): unknown[];
  /** The text with these hooks, besides those of others. `undefined`: there is no file. */
  add(text: string | undefined, hooks: readonly PlannedHook[], path: string): string;
  /** The text without Beckon's hooks. `undefined`: the file goes. */
  remove(text: string, path: string): string | undefined;
  /** What keeps hooks from running although they are there. */
  findProblems?(text: string, path: string): string[];
}

/** What differs between clients whose hooks are lines for a shell. */
export interface HookClientOptions extends Pick<AgentClient, 'name' | 'title' | 'kinds' | 'tested'> {
  /** The word after `beckon hook`. Default: the name. */
  agent?: string;
  /** The name of its program. */
  program: string;
  file: HookFile;
  /** The event with which it asks, and those that are reported. */
  asking: string;
  reported: readonly string[];
  /** How long the client waits for a report. Default: 10 seconds. */
  reportSeconds?: number;
  /** Whether the command must name the event, because payloads do not. */
  namesEvents?: boolean;
}

/** A client that is connected by hooks in a file of its own. */
export function createHookClient(options: HookClientOptions): AgentClient {
  const { name, agent = name, title, kinds, tested, program, file } = options;
  const readOwn = (): { path: string; text: string | undefined; commands: ReturnType<typeof listOwn> } => {
    const path = file.path();
    const text = readIfThere(path);
    return { path, text, commands: text === undefined ? [] : listOwn(agent, file.listLines(text, path)) };
  };
  return {
    name,
    title,
    kinds,
    tested,
    inspect: async (): Promise<AgentReport> => {
      const found = await findProgram(program);
      const { path, text = '', commands } = readOwn();
      const [first] = commands;
      if (first === undefined) return { ...found, isConnected: false, how: `no hooks in ${path}` };
      const missing = [first.command, first.args[0]].find((part) => part !== undefined && !existsSync(part));
      const problems =
        missing === undefined ? [] : [`${missing} no longer exists. Run "beckon agents install ${name}" again.`];
      problems.push(...(file.findProblems?.(text, path) ?? []));
      const { fault } = missing === undefined ? await tryHook(first, `beckon agents install ${name}`) : { fault: null };
      if (fault !== null) problems.push(fault);
      return {
        ...found,
        isConnected: problems.length === 0,
        how: `${commands.length} hooks in ${path}`,
        problems: [...found.problems, ...problems],
      };
    },
    // Hooks that are there stay as they are: somebody may have chosen their options.
    planInstall: async () => {
      const { path, text, commands } = readOwn();
      if (
        commands.length > 0 &&
        commands.every(({ command, args }) => existsSync(command) && existsSync(args[0] ?? ''))
      )
        return [];
      const { found } = await findHookTarget();
      return [{ path, before: text, after: file.add(text, planHooks(options, toHookWhere(found)), path) }];
    },
    planUninstall: () => {
      const { path, text, commands } = readOwn();
      if (text === undefined || commands.length === 0) return Promise.resolve([]);
      return Promise.resolve([{ path, before: text, after: file.remove(text, path) }]);
    },
    finishInstall: async () => {
      const { found, caller } = await findHookTarget();
      const { done, warnings } = await finishInstall(found, caller, { name: agent, title });
      return [...done, ...warnings];
    },
  };
}

function planHooks(options: HookClientOptions, where: readonly string[]): PlannedHook[] {
  const { name, agent = name, asking, reported, namesEvents = false, reportSeconds = REPORT_SECONDS } = options;
  const toLine = (event: string, more: readonly string[]): string =>
    toHookLine(agent, [...(namesEvents ? ['--event', event] : []), ...more, ...where]);
  return [
    { event: asking, line: toLine(asking, ['--timeout', `${ASK_SECONDS}s`]), seconds: WAIT_SECONDS },
    ...reported.map((event) => ({ event, line: toLine(event, []), seconds: reportSeconds })),
  ];
}

function listOwn(agent: string, lines: readonly unknown[]) {
  return lines.flatMap((line) => parseHookLine(agent, line) ?? []);
}
