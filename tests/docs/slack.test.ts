import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Manifest {
  oauth_config: { scopes: { bot: string[] } };
  settings: {
    event_subscriptions: { bot_events: string[] };
    interactivity: { is_enabled: boolean };
    socket_mode_enabled: boolean;
  };
}

test('the manifest in docs/slack.md has what the connector checks and uses', () => {
  const page = readFileSync(new URL('../../docs/slack.md', import.meta.url), 'utf8');
  const [, json = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
  const { oauth_config: access, settings } = JSON.parse(json) as Manifest;
  expect(access.scopes.bot).toEqual(expect.arrayContaining(['chat:write', 'files:write', 'channels:history']));
  // Slack only sends the messages of channels whose history the app may read.
  const events = settings.event_subscriptions.bot_events;
  for (const event of events) {
    const kind = event.replace('message.', '');
    expect(access.scopes.bot).toContain(`${kind}:history`);
  }
  expect(events).toEqual(['message.channels', 'message.groups', 'message.im']);
  expect(settings).toMatchObject({ interactivity: { is_enabled: true }, socket_mode_enabled: true });
});
