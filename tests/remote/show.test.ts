/// <reference lib="dom" />
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBeckon } from '../../packages/beckon/src/index.ts';
import {
  type Authority,
  type CertificateFiles,
  createAuthority,
  toTrustedKey,
} from '../../packages/beckon/src/testing/harness/certificates.ts';
import { CLAUDE } from '../claude-code/harness/client.ts';
import { toClientEnv } from '../claude-code/harness/client-env.ts';
import { ScriptedModel } from '../clients/harness/model.ts';
import { openRelay } from '../clients/harness/network.ts';
import { CHROMIUM, openProfile } from '../harness/browser.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';
import { Desktop, type ShownNotification } from '../harness/desktop.ts';
import { describeOnNetwork, type Machine, TestNetwork } from '../harness/network.ts';
import { NGINX, type Nginx, PROXY_HEADERS, startNginx } from '../harness/nginx.ts';
import { Terminal, Transcript } from './transcript.ts';

const HOST = 'beckon.example.com';
/** Where Debian's Chromium has its pushes sent; Chrome has another host of Google's. */
const PUSH_HOST = 'jmt17.google.com';
const ADDRESS = `https://${HOST}`;
/** Whatever takes longer has failed. Machines that run tests are slow, and nothing here measures time. */
const LIMIT_MS = 90_000;
const PATIENT = { timeout: LIMIT_MS };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DOCS = new URL('../../docs/remote.md', import.meta.url);
const PROMPT = 'Deploy the site. SCENARIO:deploy';
const FAULT = [
  NGINX === undefined && 'there is no nginx',
  CHROMIUM === undefined && 'there is no Chromium',
  CLAUDE === null && 'there is no Claude Code',
].find((fault) => fault !== false);

let network: TestNetwork;
let server: Machine;
let laptop: Machine;
let phone: Machine;
let google: Machine;
let there: CliBench;
let here: CliBench;
let authority: Authority;
let nginx: Nginx;
let daemon: TestDaemon;
let api: ScriptedModel;
let relay: Awaited<ReturnType<typeof openRelay>>;
let phoneFolder: string;
let desktop: Desktop;
let context: BrowserContext;
let page: Page;
let service: ChildProcess;
let transcript: Transcript;

describeOnNetwork('a laptop, a phone, and a server with TLS', FAULT ?? null, () => {
  beforeAll(async () => {
    network = TestNetwork.open();
    [server, laptop, phone] = [network.add('server', [HOST]), network.add('laptop'), network.add('phone')];
    google = network.add('google', [PUSH_HOST]);
    [there, here] = await Promise.all([CliBench.open(server.run), CliBench.open(laptop.run)]);
    authority = createAuthority(there.folder);
    const files = authority.issue('server', [HOST]);
    const locations = `location / { proxy_pass http://127.0.0.1:8228; ${PROXY_HEADERS} }`;
    nginx = await startNginx({ machine: server, folder: join(there.folder, 'nginx'), files, locations });
    await openPhone(files);
    api = new ScriptedModel();
    await api.listen(join(here.folder, 'api.sock'));
    relay = await openRelay(laptop.run, join(here.folder, 'api.sock'));
    transcript = new Transcript([
      [there.folder, '~'],
      [here.folder, '~'],
      [new RegExp(`(?<=· )${hostname()}$`, 'gm'), 'laptop'],
      // What was added to Claude Code's settings.
      [/(?:^\+ .*\n)+/gm, '+ …\n'],
    ]);
  });
  afterAll(async () => {
    await context?.close();
    await desktop?.close();
    service?.kill();
    if (phoneFolder !== undefined) rmSync(phoneFolder, { recursive: true, force: true, maxRetries: 5 });
    await nginx?.stop();
    await relay?.close();
    api?.close();
    await here?.close();
    await there?.close();
    network?.close();
  });

  test('Claude Code asks once and is answered once, although Beckon is killed twice in between', async () => {
    const onServer = new Terminal({ machine: 'server', bench: there, transcript });
    const onLaptop = new Terminal({ machine: 'laptop', bench: here, transcript, env: laptopEnv(), cwd: createSite() });
    await up();
    const [link = ''] = /^https:\S+/m.exec(await onServer.run('open', '--who', 'ada', '--print')) ?? [];
    transcript.tell('Ada opens the link on her phone, and turns notifications on under Settings.');
    await page.goto(link);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await button('Settings').tap();
    const device = page.getByRole('region', { name: 'Notifications on this device' });
    await device.getByRole('button', { name: 'Turn on' }).tap();
    await device.getByText('On. This browser is told').waitFor();
    await shown('Notifications are on');

    const login = onLaptop.start(['login', ADDRESS, '--name', 'laptop', '--no-open']);
    const [code = ''] = await login.seen(/[B-Z]{4}-[B-Z]{4}/);
    await login.seen(/Waiting/);
    login.show();
    transcript.tell(
      `On her phone, Ada opens ${ADDRESS}/connect, types the code, sees which machine it is, and lets it in.`,
    );
    await page.goto(`${ADDRESS}/connect`);
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await button('Next').tap();
    await page.getByRole('heading', { name: /called “laptop”/ }).waitFor();
    await page.getByRole('checkbox').check();
    await press('Let it in');
    expect(await login.end()).toBe(0);
    await onLaptop.run('whoami');
    await onLaptop.run('claude', 'install', '--yes');
    await onLaptop.run('claude', 'status');

    transcript.tell('She puts the phone away.');
    await page.goto('about:blank');
    const claude = startClaude();
    const asked = await findPending();
    const notification = await shown(/deploy/i);
    transcript.tell(`The phone shows a notification: "${notification.title}".`);
    // The hook has heard that Beckon keeps its question, so it comes back for the answer.
    await expect.poll(readMetrics, PATIENT).toMatch(/_count\{[^}]*"\/hooks\/:agent[^}]*"202"/);
    transcript.tell('Claude Code waits for Ada. The server loses power, and comes back.');
    await kill();
    await up();
    transcript.tell('Ada taps the notification, and has the request in front of her. The server loses power again.');
    desktop.press(notification);
    await expect.poll(() => findPage(asked.id), PATIENT).toBeDefined();
    page = findPage(asked.id) ?? page;
    await look();
    await kill();
    await up();
    await look();
    transcript.tell('She presses Allow, and Claude Code goes on.');
    await press('Allow');
    const { exitCode, output } = await claude;
    transcript.print(output);
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('The site is deployed.') });
    expect(readFileSync(join(here.folder, 'site', 'deploy.log'), 'utf8')).toBe('deployed\n');
    await onServer.run('show', asked.id);
    expect(await countEvents(asked.id)).toEqual({ requested: 1, answered: 1 });
    keepTranscript();
  });
});

/** A phone with a browser that people use every day, whose pushes come from a stand-in at the real name. */
async function openPhone(files: CertificateFiles): Promise<void> {
  const { cert, key } = authority.issue('google', [PUSH_HOST]);
  const child = fileURLToPath(new URL('push-service-child.ts', import.meta.url));
  const [program, ...args] = [...google.run, process.execPath, child, PUSH_HOST, cert, key];
  service = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(service.stdout ?? service, 'data')) as [Buffer];
  const flags = (JSON.parse(line.toString()) as string[]).map((flag) =>
    flag.startsWith('--ignore-certificate') ? `${flag},${toTrustedKey(files)}` : flag,
  );
  phoneFolder = mkdtempSync(join(tmpdir(), 'beckon-phone-'));
  desktop = await Desktop.open();
  context = await openProfile(phoneFolder, { run: phone.run, env: desktop.env, flags, screen: PHONE });
  context.setDefaultTimeout(LIMIT_MS);
  await context.grantPermissions(['notifications'], { origin: ADDRESS });
  page = context.pages()[0] ?? (await context.newPage());
}

/** The notification on the phone with this title, as soon as there is one. */
async function shown(title: string | RegExp): Promise<ShownNotification> {
  const find = (): ShownNotification | undefined =>
    desktop.open.find((one) => (typeof title === 'string' ? one.title === title : title.test(one.title)));
  await expect.poll(find, PATIENT).toBeDefined();
  const found = find();
  if (found === undefined) throw new Error(`Expected a notification ${title}`);
  return found;
}

/** The page of the phone that shows a request. */
function findPage(id: string): Page | undefined {
  return context.pages().find((one) => one.url() === `${ADDRESS}/i/${id}`);
}

/** Beckon's own numbers, as somebody on the server reads them. */
async function readMetrics(): Promise<string> {
  const token = readFileSync(join(there.home, 'token'), 'utf8').trim();
  const program = `fetch('${daemon.url}/metrics', { headers: { authorization: 'Bearer ${token}' } })
    .then((reply) => reply.text()).then(console.log)`;
  return (await there.finish(there.startProgram(['-e', program]))).stdout;
}

/** Starts Beckon on the server, as docs/remote.md says. */
async function up(): Promise<void> {
  const args = ['--public-url', ADDRESS, '--trusted-proxy', 'loopback', '--allow-destination', PUSH_HOST];
  transcript.type('server', `beckon up ${args.join(' ')} &`);
  daemon = await there.up(args, { env: { NODE_EXTRA_CA_CERTS: authority.file } });
}

async function kill(): Promise<void> {
  transcript.type('server', `kill -9 ${daemon.pid}`);
  daemon.child.kill('SIGKILL');
  await daemon.exit;
}

/** With BECKON_SHOW, puts what was seen into docs/remote.md. */
function keepTranscript(): void {
  const { text } = transcript;
  if (process.env['BECKON_SHOW'] === undefined) return;
  console.log(text);
  const before = readFileSync(DOCS, 'utf8');
  writeFileSync(
    DOCS,
    before.replace(/(<!-- show -->\n```text\n)[^]*?(```)/, (_, open, close) => `${open}${text}${close}`),
  );
}

function laptopEnv(): Record<string, string> {
  return { NODE_EXTRA_CA_CERTS: authority.file, HOME: here.folder };
}

/** A project on the laptop, with something to run. Gives its folder. */
function createSite(): string {
  const folder = join(here.folder, 'site');
  mkdirSync(folder);
  writeFileSync(join(folder, 'deploy.sh'), '#!/bin/sh\necho deployed >> deploy.log\necho deployed\n');
  chmodSync(join(folder, 'deploy.sh'), 0o755);
  return folder;
}

/** Runs the real Claude Code in a project of the laptop, with a model that calls one tool. */
async function startClaude(): Promise<{ exitCode: number | null; output: string }> {
  api.script('deploy', [
    [{ tool: 'Bash', input: { command: './deploy.sh', description: 'Deploy the site' } }],
    [{ text: 'The site is deployed.' }],
  ]);
  transcript.type('laptop', `claude -p "${PROMPT}"`);
  const [program, ...args] = [...laptop.run, CLAUDE ?? '', '-p', PROMPT];
  const env = { ...toClientEnv(relay.apiUrl), ...laptopEnv(), BECKON_HOME: here.home };
  const child = spawn(program, args, { cwd: join(here.folder, 'site'), env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output };
}

async function findPending(): Promise<{ id: string }> {
  const read = async (): Promise<{ id: string }[]> =>
    (JSON.parse((await there.run(['list', '--json'])).stdout) as { items: { id: string }[] }).items;
  await expect.poll(async () => (await read()).length, PATIENT).toBe(1);
  const [asked] = await read();
  if (asked === undefined) throw new Error('Expected a request');
  return asked;
}

async function countEvents(id: string): Promise<object> {
  await there.run(['down']);
  const beckon = await openBeckon({ store: `sqlite:${join(there.home, 'beckon.db')}` });
  try {
    const { lastSeq } = await beckon.list({ limit: 1 });
    const types: string[] = [];
    for await (const event of beckon.events({ after: 0 })) {
      if ('interactionId' in event && event.interactionId === id) types.push(event.type);
      if (event.seq >= lastSeq) break;
    }
    const count = (type: string): number => types.filter((one) => one === type).length;
    return { requested: count('interaction.requested'), answered: count('interaction.answered') };
  } finally {
    await beckon.close();
  }
}

function button(name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Waits until a press decides what is open, as somebody does who looks at it first. */
async function look(): Promise<void> {
  await page.getByRole('article').locator('button[aria-disabled="false"]:visible').first().waitFor();
}

async function press(name: string): Promise<void> {
  await button(name).and(page.locator('[aria-disabled="false"]')).waitFor();
  await button(name).tap();
}
