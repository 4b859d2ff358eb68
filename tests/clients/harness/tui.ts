import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Network } from './network.ts';

/** How long a screen may take to appear on a machine that is busy. */
const LIMIT_MS = 90_000;

/** A dialog that has just appeared takes no keys, lest somebody answers it while typing. */
const DEAF_MS = 1000;
/** How long a screen has to stay the same to be taken for finished. */
const STILL_MS = 400;
/** How long a key may take before it is taken for lost. */
const KEY_MS = 5000;

/** A program on a terminal of its own, in tmux. */
export class Tui {
  readonly #socket = `beckon-lab-${randomBytes(4).toString('hex')}`;
  readonly #options: { env: Record<string, string>; cwd: string };
  readonly #moving: RegExp;
  #isOpen = true;

  constructor(options: {
    network: Network;
    project: string;
    command: readonly string[];
    env: Record<string, string>;
    /** The lines that change while nothing happens, such as those that say how long something takes. */
    moving?: RegExp;
  }) {
    const { network, project, command, env, moving = /…/ } = options;
    this.#options = { env, cwd: project };
    this.#moving = moving;
    const words = command.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
    // `exec`, so that the pane is the program itself, without a shell above it.
    const line = `exec ${words}`;
    const args = ['-L', this.#socket, '-u', '-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '50', line];
    const [program, ...rest] = network.enter('tmux', args);
    execFileSync(program, rest, this.#options);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#tmux('kill-server');
    } catch {
      // It has ended by itself.
    }
  }

  /** Ends the program as a power cut would. */
  kill(): void {
    process.kill(Number(this.#tmux('display-message', '-p', '#{pane_pid}')), 'SIGKILL');
  }

  screen(): string {
    try {
      return this.#tmux('capture-pane', '-p').replaceAll('\u00A0', ' ');
    } catch {
      return '(the terminal has ended)';
    }
  }

  /** Waits until the screen has it, and no longer changes. */
  async see(pattern: RegExp): Promise<string> {
    const startedAt = Date.now();
    let seen = { at: startedAt, since: startedAt, still: '' };
    for (;;) {
      const screen = this.screen();
      const now = Date.now();
      const still = this.#toStill(screen);
      if (!pattern.test(screen)) seen = { at: now, since: now, still };
      else if (still !== seen.still) seen = { ...seen, since: now, still };
      else if (now - seen.at >= DEAF_MS && now - seen.since >= STILL_MS) return screen;
      if (now - startedAt > LIMIT_MS) throw new Error(`The screen never had ${pattern}:\n${screen}`);
      await sleep(100);
    }
  }

  /** Presses a key that ends a dialog, again where it was lost, until the dialog is gone. */
  async end(dialog: RegExp, key: string): Promise<void> {
    const until = Date.now() + LIMIT_MS;
    let pressedAt = 0;
    while (dialog.test(this.screen())) {
      const now = Date.now();
      if (now > until) throw new Error(`${key} did not end the dialog:\n${this.screen()}`);
      if (now - pressedAt > KEY_MS) {
        this.press(key);
        pressedAt = now;
      }
      await sleep(100);
    }
  }

  /** Presses keys, one after another. */
  press(...keys: string[]): void {
    for (const key of keys) this.#tmux('send-keys', key);
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  /** The screen without what moves while nothing happens. */
  #toStill(screen: string): string {
    return screen
      .split('\n')
      .filter((line) => !this.#moving.test(line))
      .join('\n');
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { ...this.#options, encoding: 'utf8', stdio: 'pipe' });
  }
}
