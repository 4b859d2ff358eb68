import type { CASES } from '../../../scripts/toolchain/clients-table.mjs';
import type { ClientLab } from './client-lab.ts';
import type { Turn } from './model.ts';
import type { Step } from './wire/wire.ts';

/** A case of the suite. */
export type CaseName = (typeof CASES)[number];

/** What a case of the suite looks like with one client. Everything has a usual value. */
export interface Play {
  /** Without a person at the client, or with its own dialog. Usually headless, if the client asks at all there. */
  on?: 'headless' | 'attended';
  /** What the model does; usually one call of `driver.call` (two for "remember"). */
  turns?: readonly Turn[];
  /** More arguments for `headless` and `attended`. */
  args?: readonly string[];
  /** What the model reads at the end. `null`: nothing, the client ends its turn. */
  hears?: RegExp | null;
  /**
   * For "client killed": `ends`: the request is closed, which is usual. `goes on`: the answer still counts, and the
   * call runs.
   */
  after?: 'ends' | 'goes on';
  /** Whether the client's own dialog is open while Beckon asks. Usually yes. */
  beside?: boolean;
  /** What a reader of the table has to know about this case with this client, on a line. */
  note?: string;
}

/** A case that this client cannot have, and why. The table shows it. */
export interface Cannot {
  cannot: string;
}

/** A run of a client at which a person sits: a terminal, or an editor. */
export interface Attended {
  /** Waits until the client's own dialog is open. */
  asks(): Promise<unknown>;
  /** Answers in the client's own dialog. */
  allow(): Promise<void> | void;
  deny(): Promise<void> | void;
  /** Waits until the dialog is gone. */
  isDone(): Promise<unknown>;
  /** Ends the client as a power cut would. */
  kill(): void;
  close(): void;
}

/** How a client is run with the scripted model, without a word about Beckon. */
export interface ClientSetup {
  /** Its folder in tests/clients/packages. Its command is on the PATH of the lab. */
  client: string;
  /** Writes the client's settings: the scripted model, trust in the lab's projects, "ask before you act". */
  configure(lab: ClientLab): void;
  /** What it needs in its environment besides HOME and PATH. */
  env?(lab: ClientLab): Record<string, string>;
  /** The command of a run without a person at the client. Missing: it never asks there. */
  headless?(prompt: string, args: readonly string[]): readonly string[];
  /** Starts a run with a person at the client. */
  attended?(lab: ClientLab, run: { project: string; prompt: string; args: readonly string[] }): Attended;
  /** How its model runs a shell command that needs a permission. */
  call(command: string): Step;
}

/** Everything that the suite knows about a client, and how it is connected to Beckon. */
export interface ClientDriver extends ClientSetup {
  /** Names it in the results: `codex`, `codex-hook`. */
  name: string;
  /** What the table calls it: "Codex, by hook". */
  title: string;
  /** Connects it to Beckon as a person would. Beckon runs. */
  connect(lab: ClientLab): Promise<void>;
  cases: Record<CaseName, Play | Cannot>;
}
