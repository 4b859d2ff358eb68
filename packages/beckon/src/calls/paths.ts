/** Whether a path names a place from the root, on any system. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|\\\\|[A-Za-z]:[\\/])/.test(path);
}

/**
 * The place that a path means, without `.` and `..`; `undefined` if nobody can tell: it is relative to a folder that is
 * not known, or to the home folder of a person. Symbolic links are not followed, because nobody here sees them.
 */
export function resolvePath(path: string, folder: string | undefined): string | undefined {
  if (path === '' || path.startsWith('~') || path.includes('\0')) return undefined;
  if (!isAbsolute(path) && (folder === undefined || !isAbsolute(folder))) return undefined;
  const full = isAbsolute(path) ? path : `${folder}/${path}`;
  const isWindows = /^(?:\\\\|[A-Za-z]:)/.test(full);
  const parts: string[] = [];
  for (const part of full.split(isWindows ? /[\\/]/ : '/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return isWindows ? parts.join('/') : `/${parts.join('/')}`;
}

/** Whether a resolved path is a resolved folder or below it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
