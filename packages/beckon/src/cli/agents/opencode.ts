import { homedir } from 'node:os';
import { join } from 'node:path';
import { readIfThere } from '../../machine/private-file.ts';
import type { AgentClient, AgentReport, FileChange } from './agent-client.ts';
import { findProgram } from './find-program.ts';
import { inspectOurFile, OUR_MARK, type OurFile, planNoFile, planOurFile, toModuleUrl } from './our-file.ts';
import { withLines, withoutLines } from './own-lines.ts';
import { prepareInside } from './prepare-inside.ts';

/** opencode, by a plugin file in the user's folder of settings. */
export const opencode: AgentClient = {
  name: 'opencode',
  title: 'opencode',
  tested: '1.18.33',
  kinds: {
    approval: 'what its "permission" settings ask about',
    question: 'yes',
    plan_review: 'as a question',
    form: 'no',
  },
  inspect,
  planInstall: async () => [planOurFile(toPluginFile()), planNpm(withLines), ...planPackage(undefined, EMPTY_PACKAGE)],
  planUninstall: async () => {
    const npm = planNpm(withoutLines);
    const others = npm.before === npm.after ? [] : [npm];
    return [...planNoFile(toPluginFile().path), ...others, ...planPackage(EMPTY_PACKAGE, undefined)];
  },
  finishInstall: async () => [
    ...(await prepareInside('opencode', 'opencode')),
    'opencode asks about nothing by default. For approvals, its settings need: "permission": { "bash": "ask", "edit": "ask" }',
  ],
};

/**
 * While there is a plugin, opencode starts only after npm has looked for a package in its folder of settings. Without a
 * network npm tries again for more than a minute.
 */
const NPM_LINES = ['; Beckon: without this, opencode starts a minute late if there is no network', 'fetch-retries=0'];

/**
 * Without a package of its own in this folder, npm takes the settings of a folder above that has one. Once npm has a
 * network, opencode writes its package into this file; then it is opencode's.
 */
const EMPTY_PACKAGE = '{ "private": true, "//": "Beckon: so that npm reads .npmrc here" }\n';

async function inspect(): Promise<AgentReport> {
  const file = toPluginFile();
  const [found, { isThere, problems }] = [
    await findProgram('opencode'),
    inspectOurFile(file, 'beckon opencode install'),
  ];
  return {
    program: found.program,
    version: found.version,
    isConnected: isThere && problems.length === 0,
    how: isThere ? `a plugin, ${file.path}` : 'no plugin',
    problems: [...found.problems, ...problems],
  };
}

/** The folder in which opencode looks for plugins: the extra one if that is set, because it comes last. */
function toFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env['OPENCODE_CONFIG_DIR'] || join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'opencode');
}

/** It loads Beckon's code where that is installed. Without it, opencode goes on as before. */
function toPluginFile(): OurFile {
  const text = `${OUR_MARK} Its requests go to Beckon as well. To remove this file, run: beckon opencode uninstall
export const Beckon = async (input) => {
  try {
    const { runInOpencode } = await import(${JSON.stringify(toModuleUrl('opencode'))});
    return await runInOpencode(input);
  } catch {
    return {};
  }
};
`;
  return { path: join(toFolder(), 'plugins', 'beckon.js'), text };
}

function planNpm(change: (text: string, lines: readonly string[]) => string): FileChange {
  const path = join(toFolder(), '.npmrc');
  const before = readIfThere(path);
  const after = change(before ?? '', NPM_LINES);
  return { path, before, after: after === '' ? undefined : after };
}

function planPackage(before: string | undefined, after: string | undefined): FileChange[] {
  const path = join(toFolder(), 'package.json');
  return readIfThere(path) === before ? [{ path, before, after }] : [];
}
