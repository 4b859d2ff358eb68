import type { Command } from 'commander';
import { toVisibleLine } from '../../presentation/visible.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { toHome } from '../../where/home.ts';
import { LOCAL_PROFILE, readProfiles, selectProfile } from '../../where/profiles.ts';
import { createCommand } from '../command.ts';
import { toUnknownProfile } from '../login/choose-profile.ts';
import { note, print, printJson } from '../output.ts';
import { formatTable } from '../table.ts';

export function createProfiles(): Command {
  return createCommand('profiles', {
    summary: 'List the logins of this machine, or choose the one that commands use.',
    examples: [
      ['beckon profiles', 'list them; the current one is marked'],
      ['beckon profiles other', 'use another one from now on'],
      [`beckon profiles ${LOCAL_PROFILE}`, "use this machine's own Beckon"],
    ],
  })
    .argument('[name]', 'the profile to use from now on')
    .option('--json', 'print JSON')
    .action(runProfiles);
}

async function runProfiles(name: string | undefined, { json = false }: { json?: boolean }): Promise<void> {
  const home = toHome(process.env);
  if (name !== undefined && !selectProfile(home, name)) throw toUnknownProfile(name, readProfiles(home).profiles);
  const { current = LOCAL_PROFILE, profiles } = readProfiles(home);
  // Without the tokens, which nobody should see by accident.
  const items = Object.entries(profiles).map(([profile, { url, name: as, owner, savedAt }]) => ({
    profile,
    url,
    name: as,
    owner,
    savedAt,
    current: profile === current,
  }));
  if (json) return printJson(items);
  if (name !== undefined) {
    const url = profiles[name]?.url;
    return print(url === undefined ? "Using this machine's own Beckon." : `Using ${url} (profile "${name}").`);
  }
  if (items.length === 0)
    return note('This machine is not logged in to a Beckon elsewhere. Log in with: beckon login URL');
  print(
    formatTable(
      ['', 'PROFILE', 'URL', 'AS', 'OWNER', 'SINCE'],
      items.map((item) => [
        item.current ? '*' : '',
        item.profile,
        item.url,
        toVisibleLine(item.name),
        toVisibleLine(item.owner),
        toLocalTime(item.savedAt),
      ]),
    ),
  );
  if (current === LOCAL_PROFILE) note("None of them is the current one: commands use this machine's own Beckon.");
}
