import { isAbsolute, isBelow, resolvePath } from '../calls/paths.ts';
import { matchGlob } from './glob.ts';
import { fold } from './match-command.ts';

/** Where the agent works, as it says: relative paths start in `folder`, relative patterns in `root`. */
export interface Place {
  root?: string | undefined;
  folder?: string | undefined;
}

/**
 * Names of files and folders that decide what programs run or who comes in. A pattern that allows must name them:
 * `src/**` does not mean `src/.git/hooks/pre-commit`.
 */
const GUARDED = new Set(
  `.git .hg .svn .husky .githooks .claude .codex .opencode .gemini .qwen .cursor .copilot .pi .beckon .mcp.json .ssh
  .gnupg .aws .azure .kube .docker .config .env .envrc .npmrc .yarnrc .yarnrc.yml .netrc .pypirc .gitconfig .gitmodules
  .gitattributes .bashrc .bash_profile .profile .zshrc .zshenv .zprofile .vscode .idea .devcontainer .direnv
  node_modules`.split(/\s+/),
);

/** Whether a pattern allows a resolved path. */
export function isPathAllowed(pattern: string, path: string, { root, folder }: Place): boolean {
  const isWindows = !path.startsWith('/');
  // On Windows, `a.ts:b` is a part of `a.ts`, and `a.ts.` is `a.ts`.
  if (isWindows && /:.*:|[. ](?:\/|$)/.test(path)) return false;
  const given = toComparable(pattern, path, resolvePath(root ?? folder ?? '', undefined));
  if (given === undefined || !matchGlob(toPlain(pattern), given)) return false;
  const named = new Set(toPlain(pattern).split('/'));
  return given.split('/').every((name) => named.has(name) || !isGuardedName(name));
}

/** Whether a path, however it is written, could be one of the pattern. */
export function couldBePath(pattern: string, path: string, place: Place): boolean {
  const wanted = fold(toPlain(pattern));
  return toPossible(path, wanted, place).some((possible) => {
    const root = resolvePath(place.root ?? place.folder ?? '', undefined);
    // `**/.env` is meant wherever it is.
    if (isAbsolute(pattern) || wanted.startsWith('**/')) return matchGlob(wanted, fold(possible));
    if (root === undefined || !isAbsolute(possible)) return matchGlob(`**/${wanted}`, fold(possible));
    return isBelow(fold(possible), fold(root)) && matchGlob(wanted, toRelative(fold(possible), fold(root)));
  });
}

/** What is below the root, without it. */
export function toRelative(path: string, root: string): string {
  return path.slice(root.endsWith('/') ? root.length : root.length + 1);
}

/** A pattern with the slashes of paths, and without what means nothing. */
export function toPlain(pattern: string): string {
  const slashed = /^[A-Za-z]:\\/.test(pattern) ? pattern.replaceAll('\\', '/') : pattern;
  return slashed.replace(/^(?:\.\/)+/, '');
}

function toComparable(pattern: string, path: string, root: string | undefined): string | undefined {
  if (isAbsolute(pattern)) return path;
  return root !== undefined && path !== root && isBelow(path, root) ? toRelative(path, root) : undefined;
}

function isGuardedName(name: string): boolean {
  const folded = fold(name);
  return GUARDED.has(folded) || folded.startsWith('.env.');
}

/** The places that a path could mean: several if it starts in somebody's home. */
export function toPossible(path: string, wanted: string, { root, folder }: Place): string[] {
  const resolved = resolvePath(path, folder ?? root);
  if (resolved !== undefined) return [resolved];
  const home = /^(?:~[^/\\]*|\$HOME|\$\{HOME\}|%USERPROFILE%)[\\/]?(.*)$/s.exec(path);
  if (home === null) return [path.replaceAll('\0', '')];
  const own = /^\/(?:home|users)\/[^/]+|^[a-z]:\/users\/[^/]+/.exec(wanted)?.[0] ?? '/home/user';
  return ['/root', '/home/user', '/Users/user', own, ...(root === undefined ? [] : [root])].flatMap(
    (start) => resolvePath(`${start}/${home[1] ?? ''}`, undefined) ?? [],
  );
}
