import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { findPlace } from './find-place.ts';

let folder: string;
beforeEach(() => {
  folder = createTemporaryFolder('beckon-context-');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the place of an agent', () => {
  test('is the repository around its folder, on its branch', () => {
    const inside = makeProject('webshop', 'ref: refs/heads/feature/currency\n');
    expect(findPlace(inside)).toEqual({
      project: 'webshop',
      folder: inside,
      root: join(folder, 'webshop'),
      branch: 'feature/currency',
      machine: hostname(),
    });
  });

  test('is the start of a commit where no branch is checked out', () => {
    expect(findPlace(makeProject('webshop', `${'a1b2'.repeat(10)}\n`)).branch).toBe('a1b2a1b');
  });

  test.each(['', 'nonsense', 'ref: refs/heads/.invalid', 'x'.repeat(100_000)])(
    'has no branch if HEAD is %.20j',
    (head) => {
      const place = findPlace(makeProject('webshop', head));
      expect(place).toMatchObject({ project: 'webshop' });
      expect(place).not.toHaveProperty('branch');
    },
  );

  test('is the folder itself without git', () => {
    const alone = join(folder, 'alone');
    mkdirSync(alone);
    expect(findPlace(alone)).toMatchObject({ project: 'alone', folder: alone });
    expect(findPlace(join(alone, 'missing', 'too'))).toMatchObject({ project: 'too' });
  });

  test('is the main repository for a worktree of the real git, with the branch of the worktree', () => {
    const main = join(folder, 'webshop');
    mkdirSync(main);
    const git = (...args: string[]): void => void execFileSync('git', ['-C', main, ...args], { stdio: 'ignore' });
    git('init', '--initial-branch', 'trunk');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-b', 'fix/total', join(folder, 'elsewhere'));
    expect(findPlace(main)).toMatchObject({ project: 'webshop', branch: 'trunk' });
    expect(findPlace(join(folder, 'elsewhere'))).toMatchObject({ project: 'webshop', branch: 'fix/total' });
  });

  test('is not waited for if HEAD or the file .git is a pipe', () => {
    const project = makeProject('webshop', 'ref: refs/heads/main');
    rmSync(join(folder, 'webshop', '.git', 'HEAD'));
    execFileSync('mkfifo', [join(folder, 'webshop', '.git', 'HEAD')]);
    const root = join(folder, 'webshop');
    expect(findPlace(project)).toEqual({ project: 'webshop', folder: project, root, machine: hostname() });
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, '.git'), `gitdir: ${join(folder, 'webshop', '.git')}`);
    expect(findPlace(other)).toMatchObject({ project: 'other' });
  });

  function makeProject(name: string, head: string): string {
    const inside = join(folder, name, 'src', 'deep');
    mkdirSync(inside, { recursive: true });
    mkdirSync(join(folder, name, '.git'));
    writeFileSync(join(folder, name, '.git', 'HEAD'), head);
    return inside;
  }
});
