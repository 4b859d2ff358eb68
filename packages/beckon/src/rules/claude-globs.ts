import type { Effect } from '../protocol/rule.ts';
import type { ImportPlace } from './imported.ts';

/** Globs of Beckon. `isFromStart`: they count from the folder that the agent was started in. */
export type ClaudeGlobs = { globs: string[]; isFromStart: boolean } | { why: string };

/**
 * The globs that match what a path pattern of Claude Code matches. Those are patterns of gitignore with anchors of
 * their own: `//p` from the root, `~/p` from home, `/p` from the project, `p` and `./p` from the folder it was started
 * in. As in gitignore, what matches a folder matches everything in it, so most patterns take two globs.
 */
export function toClaudeGlobs(pattern: string, effect: Effect, { folder, home }: ImportPlace): ClaudeGlobs {
  if (/[[\]\\{}]|^[!#]/.test(pattern)) return { why: 'Globs of Beckon have *, ** and ? only.' };
  if (pattern.split('/').includes('..')) return { why: 'It leads out of its folder.' };
  if (pattern.startsWith('//')) return from('/', pattern.slice(2));
  if (pattern.startsWith('~/')) {
    return home === undefined ? { why: 'The home folder is not known.' } : from(`${home}/`, pattern.slice(2));
  }
  if (pattern.startsWith('/')) return from('', pattern.slice(1));
  if (pattern.startsWith('~')) return { why: 'It names the home folder of somebody else.' };
  if (folder === undefined && effect === 'allow') {
    return { why: 'It counts from the folder that Claude Code was started in, which is another one each time.' };
  }
  const rest = pattern.replace(/^\.\//, '');
  // Without a slash before its end, a pattern of gitignore is found at any depth. With `./` that is less clear, so
  // such a pattern allows in its folder alone, and is denied or asked about at any depth.
  const isAnchored = /\/./.test(rest) || (effect === 'allow' && rest !== pattern);
  return from(isAnchored ? '' : '**/', rest, true);
}

function from(start: string, rest: string, isFromStart = false): ClaudeGlobs {
  const parts = rest.split('/');
  if (rest === '' || parts.slice(0, -1).includes('')) return { why: 'It names no file.' };
  if (parts.some((part) => part.includes('**') && part !== '**')) {
    return { why: 'Globs of Beckon have ** only as a whole part of a path.' };
  }
  const name = `${start}${rest}`;
  // `src/` is every folder of this name, and `src/**` everything in it: both mean what is inside.
  if (rest.endsWith('/')) return { globs: [`${name}**`], isFromStart };
  if (parts.at(-1) === '**') return { globs: [name], isFromStart };
  return { globs: [name, `${name}/**`], isFromStart };
}
