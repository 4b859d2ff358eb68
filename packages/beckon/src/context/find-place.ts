import { lstatSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { ContextInput } from '../protocol/context.ts';
import { readSmallText } from './read-bounded.ts';

/** Most folders that are looked at on the way up. */
const MOST_PARENTS = 64;

/**
 * Where an agent works: project, folder, branch and machine. It reads git's files and starts no program; without git
 * the project is the folder itself.
 */
export function findPlace(folder: string): Pick<ContextInput, 'project' | 'folder' | 'root' | 'branch' | 'machine'> {
  const root = findRoot(folder);
  const project = root?.project ?? basename(folder);
  const branch = root === null ? null : readBranch(root.gitFolder);
  return {
    ...(project !== '' && { project }),
    folder,
    root: root?.folder ?? folder,
    ...(branch !== null && { branch }),
    machine: hostname(),
  };
}

function findRoot(start: string): { project: string; folder: string; gitFolder: string } | null {
  let folder = start;
  for (let times = 0; times < MOST_PARENTS; times += 1) {
    const git = join(folder, '.git');
    const found = toGitFolder(git);
    if (found !== null) {
      // A linked worktree belongs to the project of its main folder: `…/webshop/.git/worktrees/fix`.
      const main = /^(.*)[\\/]\.git[\\/]worktrees[\\/][^\\/]+$/.exec(found)?.[1];
      return { project: basename(main ?? folder), folder, gitFolder: found };
    }
    const parent = dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return null;
}

/** The folder with git's files: `.git`, or the one that the file `.git` of a worktree or a submodule names. */
function toGitFolder(git: string): string | null {
  const stat = lstatSync(git, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isFile()) return git;
  const named = /^gitdir: (.+)/.exec(readSmallText(git) ?? '')?.[1]?.trim();
  return named === undefined ? null : resolve(dirname(git), named);
}

/** The branch, or the start of the commit if none is checked out. */
function readBranch(gitFolder: string): string | null {
  const head = readSmallText(join(gitFolder, 'HEAD'))?.trim() ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  // A repository with reftables has this instead of a branch.
  if (branch !== undefined) return branch === '.invalid' ? null : branch;
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : null;
}
