import type { RiskLevel } from '../protocol/risk.ts';

interface Meaning {
  level: Exclude<RiskLevel, 'routine'>;
  sentence: string;
}

const dangerous = (sentence: string): Meaning => ({ level: 'dangerous', sentence });
const notable = (sentence: string): Meaning => ({ level: 'notable', sentence });

/** Every finding: its code, how grave it is, and what people read. `docs/risk.md` has an example of each. */
export const CODES = {
  // Deleting
  'delete-everything': dangerous('Deletes the system, a home folder, the project, or everything where it runs.'),
  'delete-outside': dangerous('Deletes a folder outside the project.'),
  'delete-unknown': dangerous('Deletes a folder that only a variable or another command names.'),
  'delete-repository': dangerous('Deletes the history of the project.'),
  'delete-recursive': notable('Deletes a folder and everything in it.'),
  'delete-found': notable('Deletes whatever a search or a pattern finds.'),
  'delete-for-good': notable('Overwrites or empties a file, so that it cannot be restored.'),
  'disk-overwrite': dangerous('Overwrites or formats a disk.'),
  // Git
  'force-push': dangerous('Rewrites what others may have pulled.'),
  'force-with-lease': notable('Rewrites a branch on the server, if nobody else has changed it.'),
  'delete-remote-branch': dangerous('Deletes a branch or a tag on the server.'),
  'rewrite-history': dangerous('Rewrites or deletes commits that exist already.'),
  'discard-work': notable('Throws away changes that may be nowhere else.'),
  'push-to-main': notable('Changes the main branch, or publishes tags, for everybody.'),
  'remote-change': notable('Changes where git fetches from and pushes to.'),
  'git-runs-program': dangerous('Makes git run another program.'),
  // Running what cannot be read
  'pipe-to-shell': dangerous('Runs a text from the network without anybody reading it.'),
  'encoded-command': dangerous('Runs a text that is encoded, so that it cannot be read.'),
  'piped-script': notable('Runs what another command prints.'),
  'disguised-command': notable('The command is not written as it runs: it is in pieces, in a variable, or an alias.'),
  'unknown-command': notable('Which program runs is not said here: a variable, a pattern or another command names it.'),
  'shadowed-command': notable('Gives the name of a known program to something else.'),
  'inline-code-deletes': dangerous('A program in one line that deletes files.'),
  'inline-code-runs': notable(
    'A program in one line that runs other programs, uses the network, or decodes its own text.',
  ),
  'program-in-program': dangerous('Makes a program run another one, in a way that is easily overlooked.'),
  'downloaded-program': dangerous('Runs a file that it has just downloaded.'),
  'reverse-shell': dangerous('Gives somebody on the network a shell on this machine.'),
  'loads-library': dangerous('Makes programs load code that is not theirs.'),
  // The machine
  'as-root': notable('Runs as another user, usually as root.'),
  'root-shell': dangerous('Opens a shell as root: what runs in it is not shown here.'),
  'kill-everything': dangerous('Ends every process, or starts so many that the machine stops.'),
  'kill-process': notable('Ends processes by their name, or without letting them save.'),
  'shut-down': dangerous('Shuts down or restarts the machine.'),
  'container-escape': dangerous('Gives a container the whole machine, or enters another one.'),
  'protection-off': dangerous('Switches off a protection of the machine.'),
  'open-permissions': notable('Changes who may read, write or run files.'),
  setuid: dangerous('Lets everybody run a program as its owner.'),
  'service-change': notable('Changes which services of the machine run.'),
  'keeps-running': notable('Keeps running, or runs later, when nobody is looking.'),
  'traces-removed': dangerous('Removes or avoids the traces of what was run.'),
  tunnel: notable('Opens a way into this machine or its network.'),
  // Files
  'system-file': dangerous('Writes a file of the system.'),
  'access-file': dangerous('Writes a file that says who may come in.'),
  'access-change': dangerous('Changes who may come in, or who is trusted.'),
  'startup-file': dangerous('Writes something that runs by itself: at a login, at a start, at a time.'),
  'git-hook': dangerous('Writes something that git runs by itself.'),
  'agent-settings': dangerous('Changes what agents may do, or what they run.'),
  'agent-instructions': notable('Changes what agents are told to do.'),
  'ci-file': notable('Changes what runs on other machines, or for everybody in the project.'),
  'package-scripts': notable('Changes what package managers and build tools run.'),
  'outside-write': notable('Writes outside the project.'),
  'outside-read': notable('Reads outside the project.'),
  'leads-elsewhere': notable('The path is a link: the file is somewhere else.'),
  'files-deleted': notable('Deletes files.'),
  'many-files-deleted': dangerous('Deletes many files at once.'),
  // Secrets
  'key-read': dangerous('Reads keys or passwords.'),
  'secret-read': notable('Reads a file that usually has secrets.'),
  'secret-committed': notable('Puts a file that usually has secrets into the repository.'),
  'environment-read': notable('Shows all environment variables, secrets among them.'),
  'secret-sent': dangerous('Sends keys, passwords or other secrets to another machine.'),
  'secret-in-text': notable('Contains something that looks like a key or a password.'),
  upload: notable('Sends files or data to another machine.'),
  // Databases, clusters, clouds
  'database-drop': dangerous('Deletes a database, tables, or all of their rows.'),
  'database-change': notable('Changes rows or tables of a database.'),
  'production-change': dangerous('Changes something that is called production.'),
  production: notable('Works with something that is called production.'),
  'cloud-delete': dangerous('Deletes resources of a cloud, a cluster or a service.'),
  'volume-delete': dangerous('Deletes volumes, and the data that containers keep in them.'),
  'resource-delete': notable('Deletes containers, volumes, images or other resources.'),
  deploy: notable('Changes what runs on other machines.'),
  // Other people
  publish: dangerous('Publishes something that cannot be taken back.'),
  release: notable('Publishes something, or changes what other people work with.'),
  // Checks
  'check-skipped': notable('Skips a check.'),
  'unattended-agent': dangerous('Starts an agent that asks nobody.'),
  'sandbox-off': notable('Runs outside the sandbox of the agent.'),
  // Code of others
  'package-install': notable('Installs a package, which may run code of its own.'),
  'remote-package': notable('Downloads a package and runs it.'),
  // Addresses
  'metadata-address': dangerous('Asks a cloud machine for its own credentials.'),
  'login-in-address': dangerous('The address has a name or password before its host, which may hide the host.'),
  'look-alike-host': dangerous('The host may only look like a name that you know.'),
  'other-scheme': dangerous('The address leads to no website, but to a file or a program.'),
  'private-address': notable('The address is inside this machine or its network.'),
  'numeric-address': notable('The host is a number, not a name.'),
  'not-encrypted': notable('The connection is not encrypted.'),
  'data-in-address': notable('The address carries data, which its host will see.'),
  // Tools of MCP servers and others
  'tool-deletes': dangerous('By its name, the tool deletes something.'),
  'tool-pays': dangerous('By its name, the tool moves money or orders something.'),
  'tool-runs': notable('By its name, the tool runs commands or code.'),
  'tool-sends': notable('By its name, the tool sends or publishes something.'),
  // Texts
  'hidden-characters': dangerous('Contains characters that are not shown, or that change how others are shown.'),
  'look-alike-characters': dangerous('Contains characters that look like others.'),
  'hidden-in-content': notable('The new text contains characters that are not shown, or that look like others.'),
  'not-understood': notable('Not all of the command could be understood.'),
  'too-long': dangerous('The command is too long or too deep to be looked at as a whole.'),
} as const satisfies Record<string, Meaning>;

export type Code = keyof typeof CODES;

/** Takes a finding about a part of the text that is looked at. Without a part, it is about all of it. */
export type Report = (code: Code, place?: { start: number; end: number }) => void;
