import type { FoundWord } from '../calls/find-commands.ts';
import { hasWord, type Look } from './look.ts';

/** Options that name a program which runs: with the value in the same word, or in the next one. */
interface RunningOption {
  joined?: RegExp;
  next?: RegExp;
}

const SSH: RunningOption = { joined: /^(?:-o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*(.+)$/is };
const TAR: RunningOption = {
  joined: /^--(?:checkpoint-action=exec|use-compress-program|to-command|rsh-command|info-script)=(.+)$/s,
  next: /^(?:-I|--use-compress-program|--to-command|--rsh-command|--info-script)$/,
};
const SORT: RunningOption = { joined: /^--compress-prog\w*=(.+)$/s, next: /^--compress-prog\w*$/ };
const PIP: RunningOption = { joined: /^--editor=(.+)$/s, next: /^--editor$/ };
const MAKE: RunningOption = { joined: /^--eval=(.+)$/s, next: /^(?:--eval|-E)$/ };

const APT: RunningOption = {
  joined: /^(?:-o=?|--option=)?(?:Dpkg|APT)::\S*Invoke\S*[= ](.+)$/is,
  next: /^(?:-c|--config-file)$/,
};

const OPTIONS: Readonly<Record<string, RunningOption>> = {
  ssh: SSH,
  scp: SSH,
  sftp: SSH,
  autossh: SSH,
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  sort: SORT,
  gsort: SORT,
  pip: PIP,
  pip3: PIP,
  apt: APT,
  'apt-get': APT,
  make: MAKE,
  gmake: MAKE,
  zip: { next: /^(?:-TT|--unzip-command)$/ },
  rsync: { joined: /^(?:-e|--rsh=|--rsync-path=)(.+)$/s, next: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)$/ },
  man: { joined: /^(?:-H|--html=|-P|--pager=)(.+)$/s, next: /^(?:-P|--pager)$/ },
  rg: { joined: /^--(?:pre|hostname-bin)=(.+)$/s, next: /^--(?:pre|hostname-bin)$/ },
  go: { joined: /^--?(?:exec|toolexec)=(.+)$/s, next: /^--?(?:exec|toolexec)$/ },
  npm: { joined: /^--script-shell=(.+)$/s, next: /^--script-shell$/ },
  wget: { joined: /^--use-askpass=(.+)$/s },
};
const VARIABLE =
  /^(?:PAGER|MANPAGER|SYSTEMD_PAGER|GH_PAGER|AWS_PAGER|LESSOPEN|LESSCLOSE|BROWSER|GH_BROWSER|RSYNC_RSH)=(.*)$/s;
/** What people name there every day: programs that show, pack or connect, with plain words after them. */
const EVERYDAY =
  /^(?:|\|?-?\s*\S*lesspipe\S*.*|(?:\/\S+\/)?(?:cat|less|more|most|bat|delta|true|:|gzip|pigz|bzip2|pbzip2|xz|pixz|zstd|zstdmt|lz4|lzop|brotli|(?:sudo )?rsync|ssh|vi|vim|nvim|nano|emacs|code|firefox|chrome|open|xdg-open|w3m|lynx|none|nc|ncat|connect|corkscrew|cloudflared|aws|gcloud|unzip)(?:\s(?:[^;&|`$<>()]|\$(?!\())*)?)$/;
/** What is longer is nothing that people name every day. */
const MOST_CHARS = 1000;
/** `1e command` and `s/…/…/e` in a script for sed. */
const SED_RUNS =
  /(?:^|[;{\n])\s{0,9}(?:\d+|\$|\/[^/\n]{0,200}\/)?(?:,(?:\d+|\$))?\s{0,9}e\s+([^\n]+)|^\s{0,9}s([^\w\s])(?:(?!\2)[^\\]|\\.){0,500}\2(?:(?!\2)[^\\]|\\.){0,500}\2[gpiImM\d]{0,9}e/;

/** Options and variables by which a program runs another one. What they run is given to `assess`. */
export function checkProgramsInPrograms(look: Look, assess: (text: string) => void): void {
  const { program, args, command, report } = look;
  const found = (word: FoundWord, value: string | undefined): void => {
    if (value === undefined || (value.length < MOST_CHARS && EVERYDAY.test(value.trim()))) return;
    report('program-in-program', word);
    assess(value);
  };
  const { joined, next } = Object.hasOwn(OPTIONS, program) ? (OPTIONS[program] as RunningOption) : {};
  args.forEach((word, at) => {
    const value = next?.test(args[at - 1]?.text ?? '') ? word.text : joined?.exec(word.text)?.[1];
    found(word, value);
  });
  // Git has findings of its own about these.
  if (program !== 'git') for (const word of command.assignments) found(word, VARIABLE.exec(word.text)?.[1]);
  if (/^g?sed$/.test(program)) for (const word of toScripts(args)) found(word, toSedCommand(word.text));
}

/** The words that are scripts for sed: those after `-e`, or the first that is no option. */
function toScripts(args: readonly FoundWord[]): FoundWord[] {
  const given = args.filter((_, at) => /^(?:-[a-zA-Z]*e|--expression)$/.test(args[at - 1]?.text ?? ''));
  const first = args.find(({ text }) => !text.startsWith('-'));
  return given.length > 0 || first === undefined || hasWord(args, /^(?:-f|--file)/) ? given : [first];
}

function toSedCommand(script: string): string | undefined {
  const found = SED_RUNS.exec(script.slice(0, 4096));
  return found === null ? undefined : (found[1] ?? script);
}
