import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentClient, AgentReport } from './agent-client.ts';
import { findProgram } from './find-program.ts';
import { inspectOurFile, OUR_MARK, type OurFile, planNoFile, planOurFile, toModuleUrl } from './our-file.ts';
import { prepareInside } from './prepare-inside.ts';
import { toShortPath } from './short-path.ts';

/** pi, by an extension file. */
export const pi: AgentClient = {
  name: 'pi',
  title: 'pi',
  tested: '0.73.1',
  kinds: { approval: 'before bash, write and edit', question: 'by the tool ask_person', plan_review: 'no', form: 'no' },
  inspect,
  planInstall: async () => [planOurFile(toExtensionFile())],
  planUninstall: async () => planNoFile(toExtensionFile().path),
  finishInstall: async () => [
    ...(await prepareInside('pi', 'pi')),
    'pi will ask before bash, write and edit. BECKON_PI_TOOLS names other tools, or "none".',
  ],
};

async function inspect(): Promise<AgentReport> {
  const file = toExtensionFile();
  const { isThere, problems } = inspectOurFile(file, 'beckon pi install');
  const found = await findProgram('pi');
  return {
    program: found.program,
    version: found.version,
    isConnected: isThere && problems.length === 0,
    how: isThere ? `an extension, ${toShortPath(file.path)}` : 'no extension',
    problems: [...found.problems, ...problems],
  };
}

/** It loads Beckon's code where that is installed. Without it pi asks nothing, as before, and says so. */
function toExtensionFile(env: NodeJS.ProcessEnv = process.env): OurFile {
  const folder = env['PI_CODING_AGENT_DIR'] || join(homedir(), '.pi', 'agent');
  const text = `${OUR_MARK} pi asks there before it acts. To remove this file, run: beckon pi uninstall
// It asks before bash, write and edit. For others: BECKON_PI_TOOLS=bash,write,edit,read or all or none.
export default async function (pi) {
  try {
    const { runInPi } = await import(${JSON.stringify(toModuleUrl('pi'))});
    runInPi(pi);
  } catch (error) {
    pi.on("session_start", (_event, { ui }) => ui.notify("pi asks nobody: Beckon cannot be loaded: " + error, "error"));
  }
}
`;
  return { path: join(folder, 'extensions', 'beckon.ts'), text };
}
