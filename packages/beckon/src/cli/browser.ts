import { spawn } from 'node:child_process';

/** A program that opens a browser and has not failed by then has done it. */
const LIMIT_MS = 2000;

/** Opens an address in the person's browser. `false`: there is no display, or no program that can. Never throws. */
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
      // The first text in quotes would be the title of a window.
      return ['cmd', '/c', 'start', ''];
    default:
      return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? ['xdg-open'] : null;
  }
}
