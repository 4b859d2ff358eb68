import { isAbsolute, isBelow, resolvePath } from '../calls/paths.ts';
import type { Code } from './codes.ts';

/** Where a call runs, as far as the context says. */
export interface Where {
  /** The folder of the project. */
  root?: string | undefined;
  /** The folder in which the call runs. */
  folder?: string | undefined;
}

const HOME_WORD = /^(?:~|\$HOME\b|\$\{HOME\}|%USERPROFILE%|\$env:USERPROFILE)(?=$|[\\/])/i;
const HOME_FOLDER = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)/;
const TEMPORARY =
  /^(?:(?:\/private)?\/(?:var\/)?tmp(?:\/|$)|\/var\/folders\/|\$\{?(?:TMPDIR|RUNNER_TEMP|TMP)\b|\$\(mktemp|`mktemp|[A-Za-z]:\/.*\/temp\/)/i;
const SYSTEM =
  /^(?:\/(?:etc|usr|bin|sbin|lib|lib64|boot|sys|proc|opt|srv|System|Library|Applications)(?:\/|$)|\/dev\/(?!null$|stdout$|stderr$|stdin$|tty$|fd\/|tcp\/|udp\/|shm\/)|\/var\/(?!tmp|folders)|[A-Za-z]:\/(?:Windows|Program Files))/i;

/** A path with the home folder in place of `~`, as far as the project's folder says where that is. */
function expandHome(path: string, { root, folder }: Where): string {
  const home = HOME_FOLDER.exec(root ?? folder ?? '')?.[0] ?? '/home/~';
  return path.replace(HOME_WORD, () => home);
}

/** The place that a path means. */
export function toPlace(path: string, where: Where): string | undefined {
  return resolvePath(expandHome(path, where), where.folder ?? where.root);
}

/** Whether a path is of the sort that is thrown away. */
export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path) && !path.includes('..');
}

/** Whether a path leads out of the project. If it cannot be told, `false`. */
export function isOutside(path: string, where: Where): boolean {
  const place = toPlace(path, where);
  const { root = where.folder } = where;
  if (place === undefined || root === undefined) {
    return isAbsolute(expandHome(path, where)) || /^\.\.(?:\/|$)/.test(path);
  }
  return !isBelow(place, resolvePath(root, undefined) ?? root);
}

/** What a delete would take away. */
export type Target = 'everything' | 'repository' | 'outside' | 'unknown' | 'rebuilt' | 'temporary' | 'inside';

/** Folders that tools make again. */
const REBUILT =
  /^(?:node_modules|dist|build|out|target|coverage|\.next|\.nuxt|\.turbo|\.cache|\.parcel-cache|\.vite|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.venv|venv|\.gradle|tmp|temp|\.tmp|\.output|\.svelte-kit|\.eggs|.+\.egg-info|storybook-static|test-results|playwright-report|DerivedData|Pods|bin|obj|_build|\.angular|\.nyc_output)$/;

/** Judges what deleting a path, with everything below it, takes away. */
export function judgeTarget(text: string, where: Where): Target {
  const path = expandHome(text.replace(/[\\/]+(?:\*\*?|\.\*|\{,\.\}\*|\.\[!\.\]\*)?(?:[\\/]+)?$/, ''), where);
  if (isTemporary(text)) return /^[^a-z]*tmp\/?\*?$/i.test(text) ? 'everything' : 'temporary';
  if (/^(?:|\.|\.\.|\*|\.\*|\.\/\*|[A-Za-z]:|\*\.\*)$/.test(path) || /^(?:\.\.\/)+(?:\.\.|\*)?$/.test(`${path}/`))
    return 'everything';
  if (/^[$`{<]/.test(path) || /^\/?\$/.test(path)) return 'unknown';
  if (/(?:^|\/)\.git$/.test(path)) return 'repository';
  const place = toPlace(path, where);
  if (place !== undefined && isEverything(place, where)) return 'everything';
  if (isOutside(path, where)) return 'outside';
  return isRebuilt(place ?? path, where) ? 'rebuilt' : 'inside';
}

/** Whether a place in the project is made again by tools: such a folder, or what is in it. */
function isRebuilt(place: string, { root, folder }: Where): boolean {
  // What a variable stands for may lead out of the folder.
  if (/[$`]/.test(place)) return false;
  const base = resolvePath(root ?? folder ?? '', undefined) ?? '';
  const inside = base !== '' && isBelow(place, base) ? place.slice(base.length) : place;
  return inside.split('/').some((name) => REBUILT.test(name));
}

function isEverything(place: string, { root, folder }: Where): boolean {
  if (/^\/[^/]*$/.test(place) || /^[A-Za-z]:(?:\/[^/]*)?$/.test(place)) return true;
  if (HOME_FOLDER.exec(place)?.[0] === place) return true;
  return [root, folder].some((known) => known !== undefined && isBelow(resolvePath(known, undefined) ?? '', place));
}

/** Whether a path is a home folder, all of them, or the whole machine: keys are in it. */
export function holdsHome(path: string, where: Where): boolean {
  const place = toPlace(path.replace(/(?<=.)\/\*?$/, ''), where);
  return place !== undefined && (/^\/(?:home|Users|root)?$/.test(place) || HOME_FOLDER.exec(place)?.[0] === place);
}

const KINDS: readonly (readonly [Code, RegExp])[] = [
  [
    'access-file',
    /(?:^|\/)(?:\.ssh\/|authorized_keys|sudoers|\.gnupg\/|\.kube\/config$|\.aws\/)|^\/etc\/(?:passwd|shadow|group|pam\.d|ssh)\b/,
  ],
  [
    'startup-file',
    /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|inputrc|xinitrc|xprofile|vimrc|envrc)$|(?:^|\/)config\.fish$|^\/etc\/(?:profile|rc\.|cron|systemd|init|ld\.so|environment)|(?:^|\/)(?:cron\.\w+|crontabs?|systemd\/(?:system|user)|LaunchAgents|LaunchDaemons|autostart|sitecustomize\.py|Startup)(?:\/|$)|(?:^|\/)sitecustomize\.py$/,
  ],
  [
    'git-hook',
    /(?:^|\/)\.git\/(?:hooks\/|config$|info\/attributes$)|(?:^|\/)\.gitconfig$|(?:^|\/)\.config\/git\/config$/,
  ],
  [
    'agent-settings',
    /(?:^|\/)(?:\.claude\/(?:settings[\w.]*\.json$|hooks\/)|\.claude\.json$|\.mcp\.json$|\.codex\/(?:config\.toml|rules\/|hooks)|opencode\.jsonc?$|\.opencode\/(?:plugin|opencode)|\.cursor\/(?:mcp\.json|hooks)|\.gemini\/settings\.json|\.qwen\/settings\.json|\.copilot\/|\.beckon\/|\.vscode\/(?:mcp|settings|tasks)\.json|claude_desktop_config\.json)/,
  ],
  [
    'agent-instructions',
    /(?:^|\/)(?:CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|QWEN\.md|\.cursorrules|\.windsurfrules|\.clinerules|copilot-instructions\.md)$|(?:^|\/)\.(?:claude|opencode|codex)\/(?:agents?|commands?|skills?|prompts)\/|(?:^|\/)\.cursor\/rules\//i,
  ],
  [
    'ci-file',
    /(?:^|\/)(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|Jenkinsfile$|\.circleci\/|azure-pipelines\.ya?ml$|\.travis\.yml$|\.buildkite\/|bitbucket-pipelines\.yml$|\.husky\/|\.pre-commit-config\.yaml$|lefthook\.ya?ml$|\.github\/dependabot\.yml$|CODEOWNERS$|\.devcontainer\/)/,
  ],
  [
    'package-scripts',
    /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|pip\.conf|setup\.py|build\.rs|\.gitmodules|\.gitattributes)$/,
  ],
  ['system-file', SYSTEM],
];

/** What is special about writing a file. */
export function findWriteCodes(path: string, where: Where): Code[] {
  const expanded = expandHome(path, where)
    .replaceAll('\\', '/')
    .replaceAll(/\/(?:\.?\/)+/g, '/');
  const place = toPlace(path, where)?.replace(/^([A-Za-z]:)(?=\/)/, '$1') ?? expanded;
  if (/^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/\d+|shm\/.*)$/.test(place)) return [];
  const found = KINDS.find(([, pattern]) => pattern.test(expanded) || pattern.test(place));
  if (found !== undefined) return [found[0]];
  return isOutside(path, where) && !isTemporary(place) && !isTemporary(path) ? ['outside-write'] : [];
}

const KEYS =
  /(?:^|\/)(?:\.ssh(?:\/(?!known_hosts|config$|[^/]*\.pub$)[^/]*)?|id_(?:rsa|ed25519|ecdsa|dsa)|\.aws(?:\/(?:credentials)?)?|\.netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.docker\/config\.json|\.kube(?:\/config)?|\.gnupg(?:\/.*)?|\.config\/gcloud(?:\/.*)?|application_default_credentials\.json|\.azure\/.*|\.config\/gh\/hosts\.yml|\.npmrc|\.pypirc|login\.keychain(?:-db)?|Keychains(?:\/.*)?|Login Data|cookies\.sqlite|key4\.db|wallet\.dat|\.vault-token|\.terraform\.d\/credentials.*|\.claude\/\.credentials\.json|\.codex\/auth\.json)$|^\/etc\/(?:shadow|gshadow|sudoers)|^\/proc\/[^/]+\/environ$|^\/(?:var\/)?run\/secrets\//;
const PROJECT_KEYS = /^(?:\.\/)?\.npmrc$/;
const SECRETS =
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template|test|dist|defaults)[\w.-]+)?|\.envrc|secrets?\.(?:ya?ml|json|toml|env)|credentials(?:\.(?:json|ya?ml|ini))?|service-?account[\w-]*\.json|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|terraform\.tfstate|[^/]*\.tfvars|master\.key|htpasswd|\.htpasswd|auth\.json|\.(?:ba|z)?sh_history|\.history|\.(?:psql|mysql|python|node_repl)_history)$/i;
/** What agents read their keys from. In a project, the same names are for everybody. */
const AGENT_SECRETS =
  /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)\/\.(?:claude\/settings[\w.]*\.json|claude\.json|codex\/config\.toml|(?:gemini|qwen)\/settings\.json|cursor\/mcp\.json)$/;

/** What is special about reading a file. */
export function findReadCodes(path: string, where: Where): Code[] {
  const expanded = expandHome(path, where).replaceAll('\\', '/');
  const place = toPlace(path, where) ?? expanded;
  const matches = (pattern: RegExp): boolean => pattern.test(expanded) || pattern.test(place);
  if (matches(KEYS) && !PROJECT_KEYS.test(path)) return ['key-read'];
  return matches(SECRETS) || AGENT_SECRETS.test(place) ? ['secret-read'] : [];
}
