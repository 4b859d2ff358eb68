import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AnswerInput, Interaction } from '../../../packages/beckon/src/index.ts';
import type { ClientRun } from './base-lab.ts';
import type { ClientLab } from './client-lab.ts';
import type { Attended, CaseName, ClientDriver, Play } from './driver.ts';

const MARKER = 'marker.txt';
/** A command that says 13. It is so simple that every client can remember it. */
const SIMPLE = 'node -p 6+7';
const COMMAND = `echo ran >> ${MARKER} && echo hi`;

/** One run of a client for one case, in a project of its own, with a scenario of its own. */
export class Performance {
  readonly lab: ClientLab;
  readonly project: string;
  readonly scenario: string;
  readonly isHeadless: boolean;
  readonly #driver: ClientDriver;
  readonly #case: { name: CaseName; play: Play };
  readonly #others: Performance[] = [];
  #headless: ClientRun | undefined;
  #attended: Attended | undefined;

  constructor(lab: ClientLab, driver: ClientDriver, one: { name: CaseName; play: Play }, command = COMMAND) {
    const { on = driver.headless === undefined ? 'attended' : 'headless', turns } = one.play;
    this.lab = lab;
    this.project = lab.project();
    this.scenario = `${one.name.replaceAll(/\W/g, '-')}-${basename(this.project)}`;
    this.isHeadless = on === 'headless';
    this.#driver = driver;
    this.#case = one;
    const call = driver.call(command);
    const twice = [[driver.call(SIMPLE)], [driver.call(SIMPLE)]];
    lab.model.script(this.scenario, turns ?? (one.name === 'remember' ? twice : [[call]]));
  }

  /** Another run of the same case, in a project of its own. */
  again(command?: string): Performance {
    const other = new Performance(this.lab, this.#driver, this.#case, command);
    this.#others.push(other);
    return other;
  }

  /** Starts the client as the case wants it. */
  start(): { kill(): void } {
    if (!this.isHeadless) return this.attend();
    const command = this.#driver.headless?.(this.#prompt, this.#case.play.args ?? []) ?? [];
    this.#headless = this.lab.run(command, this.project);
    const { child } = this.#headless;
    child.stdin?.end();
    return { kill: () => child.kill('SIGKILL') };
  }

  /** Starts the client with a person at it. */
  attend(): Attended {
    const { args = [] } = this.#case.play;
    const { attended } = this.#driver;
    if (attended === undefined) throw new Error(`${this.#driver.title} has no run with a person at it`);
    this.#attended = attended(this.lab, { project: this.project, prompt: this.#prompt, args });
    return this.#attended;
  }

  close(): void {
    this.#attended?.close();
    this.#headless?.child.kill('SIGKILL');
    for (const other of this.#others) other.close();
  }

  asked<Kind extends Interaction['kind']>(kind: Kind): Promise<Extract<Interaction, { kind: Kind }>> {
    return this.lab.pending(this.project, kind);
  }

  /** The permission that the client waits for; `undefined` if it refused the call by itself, without asking. */
  async askedOrRefused(): Promise<Extract<Interaction, { kind: 'approval' }> | undefined> {
    const found = await this.lab.poll('a request, or a refusal', async () => {
      const [asked] = await this.lab.asksOf(this.project);
      return asked ?? (this.lab.model.results(this.scenario).length > 0 ? null : undefined);
    });
    return found?.kind === 'approval' ? found : undefined;
  }

  /** Answers the permission that the client waits for. */
  async answer(answer: AnswerInput): Promise<void> {
    await this.lab.answer(await this.asked('approval'), answer);
  }

  /** How often the command has run. */
  marks(): number {
    const file = join(this.project, MARKER);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).length : 0;
  }

  /** Waits until the model has read this, or anything; `null`: until the client has ended its turn. */
  async hears(hears: RegExp | null | undefined): Promise<void> {
    if (hears === undefined) await this.lab.result(this.scenario);
    else if (hears === null) await (this.#attended?.isDone() ?? this.#headless?.end());
    else
      await this.lab.poll(`${hears} in what the model heard: ${this.lab.model.heard(this.scenario).join('\n')}`, () =>
        this.lab.model.heard(this.scenario).find((text) => hears.test(text)),
      );
  }

  get #prompt(): string {
    return `Do it. SCENARIO:${this.scenario}`;
  }
}
