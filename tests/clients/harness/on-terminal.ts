import type { Attended, ClientSetup } from './driver.ts';

/** How a client looks and is answered on its terminal. */
export interface TerminalClient {
  command(prompt: string, args: readonly string[]): readonly string[];
  /** What its screen has while its own dialog is open, and at no other time. */
  dialog: RegExp;
  /** The keys that choose before the one that ends the dialog, as tmux names them, and that one as the last. */
  allow: readonly string[];
  deny: readonly string[];
  /** The lines of its screen that change while nothing happens; usually those with a "…". */
  moving?: RegExp;
}

/** Runs of a client in a terminal. */
export function onTerminal(client: TerminalClient): NonNullable<ClientSetup['attended']> {
  return (lab, { project, prompt, args }): Attended => {
    const tui = lab.terminal(project, client.command(prompt, args), client.moving);
    const press = async (keys: readonly string[]): Promise<void> => {
      tui.press(...keys.slice(0, -1));
      await tui.end(client.dialog, keys.at(-1) ?? 'Enter');
    };
    return {
      asks: () => tui.see(client.dialog),
      allow: () => press(client.allow),
      deny: () => press(client.deny),
      isDone: () =>
        lab.poll('an end of the dialog', () => (client.dialog.test(tui.screen()) ? undefined : tui.screen())),
      kill: () => tui.kill(),
      close: () => tui.close(),
    };
  };
}
