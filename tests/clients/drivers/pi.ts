import type { ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

const MODEL = ['--provider', 'fake', '--model', 'fake'];

/** pi, which never asks by itself: the dialog is that of Beckon's extension. */
export const piSetup: ClientSetup = {
  client: 'pi',
  configure: (lab) =>
    lab.write('.pi/agent/models.json', {
      providers: {
        fake: {
          baseUrl: lab.modelUrl('/v1'),
          api: 'openai-completions',
          apiKey: 'dummy',
          models: [{ id: 'fake' }],
        },
      },
    }),
  env: () => ({ PI_OFFLINE: '1' }),
  headless: (prompt, args) => ['pi', ...MODEL, ...args, '-p', prompt],
  attended: onTerminal({
    command: (prompt, args) => ['pi', ...MODEL, ...args, prompt],
    dialog: /Beckon/,
    allow: ['Enter'],
    deny: ['Escape'],
    moving: /Working/,
  }),
  call: (command) => ({ tool: 'bash', input: { command } }),
};
