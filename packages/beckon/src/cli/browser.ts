import { spawn } from 'node:child_process';

/** A program that has not failed by then has opened the browser. */
const LIMIT_MS = 2000;

/** Opens an address in the person's browser. `false`: there is no display, or no program for it. Never throws. */
export function openBrowser(url: string): Promise<boolean> {
  const command = findOpener();
  if (command === null) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => resolve(true), LIMIT_MS);
    const finish = (isOpened: boolean): void => {
      clearTimeout(timer);
      resolve(isOpened);
    };
    child.once('error', () => finish(false));
    child.once('exit', (code) => finish(code === 0));
    child.unref();
  });
}

function findOpener(): [string, ...string[]] | null {
  switch (process.platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      // `start` takes its first quoted argument for a window title.
      return ['cmd', '/c', 'start', ''];
    default:
      return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? ['xdg-open'] : null;
  }
}
