import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { getClient, toCommand } from '../../../scripts/toolchain/clients.mjs';
import { BaseLab, BECKON_MAIN, type ClientRun } from './base-lab.ts';
import type { ClientSetup } from './driver.ts';

/** Projects are made, and trusted, before the client starts: configuring it again would undo what Beckon installed. */
const PROJECTS = 30;

/** What a lab needs to know about a client. Without `connect` it is not connected to Beckon. */
type LabDriver = ClientSetup & { connect?(lab: ClientLab): Promise<void> };

/** One real client in a lab, connected to the lab's Beckon. */
export class ClientLab extends BaseLab {
  readonly driver: LabDriver;
  readonly home: string;
  /** The folders that the client trusts. `project()` hands them out. */
  readonly projects: readonly string[];
  #used = 0;

  private constructor(driver: LabDriver) {
    super();
    this.driver = driver;
    this.home = join(this.folder, 'home');
    this.projects = Array.from({ length: PROJECTS }, (_, index) => join(this.folder, `project-${index + 1}`));
    for (const project of this.projects) mkdirSync(project);
    mkdirSync(join(this.folder, 'bin'));
    this.#link('beckon', [process.execPath, BECKON_MAIN]);
    const client = getClient(driver.client);
    this.#link(client.command, toCommand(client));
  }

  /** Opens the lab: Beckon runs, and the client is configured and connected. */
  static async open(driver: LabDriver): Promise<ClientLab> {
    const lab = new ClientLab(driver);
    await lab.openBase();
    driver.configure(lab);
    await driver.connect?.(lab);
    return lab;
  }

  /** A folder that the client trusts and nobody has used. */
  project(): string {
    const project = this.projects[this.#used];
    if (project === undefined) throw new Error(`A lab has only ${PROJECTS} projects`);
    this.#used += 1;
    return project;
  }

  /** Runs a command of Beckon that has to succeed; gives what it printed. */
  async install(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.cli(args, this.projects[0]!);
    if (code !== 0) throw new Error(`beckon ${args.join(' ')}: ${stderr || stdout}`);
    return stdout;
  }

  /** Runs a command without a terminal, such as the client itself: it is on the PATH under its name. */
  run(command: readonly string[], project: string): ClientRun {
    const [program = '', ...args] = command;
    return this.start(program, args, project);
  }

  /** Writes a file of the client's HOME. */
  write(path: string, content: string | object): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  env(): Record<string, string> {
    const { PATH = '', LANG = 'C.UTF-8' } = process.env;
    return {
      PATH: [join(this.folder, 'bin'), dirname(process.execPath), PATH].join(delimiter),
      LANG,
      TERM: 'xterm-256color',
      SHELL: '/bin/bash',
      HOME: this.home,
      TMPDIR: join(this.folder, 'tmp'),
      BECKON_HOME: join(this.folder, 'beckon'),
      ...this.driver.env?.(this),
    };
  }

  /** The address of the scripted model, with this path behind it. */
  modelUrl(path = ''): string {
    return `${this.network.apiUrl}${path}`;
  }

  #link(name: string, command: readonly string[]): void {
    const words = command.map((word) => `'${word}'`).join(' ');
    writeFileSync(join(this.folder, 'bin', name), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  }
}

/** One lab for the tests around it. */
export function useClientLab(driver: LabDriver): () => ClientLab {
  let lab: ClientLab | undefined;
  beforeAll(async () => {
    lab = await ClientLab.open(driver);
  });
  afterAll(() => lab?.close());
  return () => {
    if (lab === undefined) throw new Error('The lab is not open');
    return lab;
  };
}
