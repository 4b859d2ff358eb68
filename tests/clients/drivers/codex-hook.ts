import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientDriver } from '../harness/driver.ts';
import { codexSetup } from './codex.ts';

const NO_DIALOG = 'No dialog while its hook waits';

/** Codex by its hooks, in a session that its daemon does not share. */
export const codexHook: ClientDriver = {
  ...codexSetup,
  name: 'codex-hook',
  title: 'Codex, by hook',
  configure: (lab) => {
    codexSetup.configure(lab);
    appendFileSync(join(lab.home, '.codex', 'config.toml'), '[features]\ndaemon_auto_start = false\n');
  },
  connect: async (lab) => void (await lab.install('agents', 'install', 'codex-hook', '--yes')),
  cases: {
    allow: {},
    deny: { hears: /ana denied Bash/ },
    'deny with text': {},
    question: { cannot: 'No hook asks; its app server does' },
    plan: { cannot: 'No hook asks' },
    form: { cannot: 'No hook asks; its app server does' },
    remember: { cannot: 'Its hook cannot; its app server can' },
    'outside first': { beside: false },
    'terminal first': { cannot: NO_DIALOG },
    'both at once': { cannot: NO_DIALOG },
    'client killed': { after: 'ends' },
    'Beckon killed': {},
    'Beckon down': {},
    'hostile payloads': { hears: /ana denied Bash/ },
    'two sessions': { hears: /ana denied Bash/ },
    'wait of 11 minutes': {},
  },
};
