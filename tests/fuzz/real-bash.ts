import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What bash ran for one text: the words of each command. Those of a pipeline come in any order. */
export interface Ran {
  /** Once with commands that succeed, and once with commands that fail, so that both sides of `||` run. */
  succeeding: string[][];
  failing: string[][];
}

/**
 * Nothing that bash runs here does anything: there is no program, and a function takes the place of every builtin. Each
 * writes down its words.
 */
const SCRIPT = String.raw`
exec 9>>"$2" </dev/null
FUNCNEST=20
builtin mapfile -d '' -t TEXTS <"$1"
note() {
  builtin printf -v LINE '%s\037' "$INDEX" "$STATUS" "${'$'}{@//$'\n'/$'\036'}"
  builtin printf '%s\n' "$LINE" >&9
  builtin return "$STATUS"
}
command_not_found_handle() { note "$@"; }
for NAME in $(compgen -b); do
  case $NAME in
    builtin) ;;
    *) builtin eval "function $NAME { note '$NAME' \"\$@\"; }" ;;
  esac
done
for INDEX in "${'$'}{!TEXTS[@]}"; do
  for STATUS in 0 1; do
    (builtin eval "${'$'}{TEXTS[INDEX]}") >/dev/null 2>&1
  done
done
`;

/** Runs texts in a real bash that can do no harm. Throws if one of them changed a file. */
export function runInBash(texts: readonly string[]): Ran[] {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-shell-'));
  try {
    const [given, log, place] = ['texts', 'log', 'place'].map((name) => join(folder, name)) as [string, string, string];
    writeFileSync(given, texts.map((text) => `${text}\0`).join(''));
    writeFileSync(log, '');
    mkdirSync(place);
    // A pattern that is not quoted would find these.
    for (const name of FILES) writeFileSync(join(place, name), '');
    const bash = spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', SCRIPT, 'bash', given, log], {
      cwd: place,
      env: { PATH: '/nowhere', LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
    if (bash.status === null) throw new Error(`bash ended with ${bash.signal}: ${bash.stderr}`);
    const files = readdirSync(place).sort();
    if (files.join() !== FILES.join() || FILES.some((name) => readFileSync(join(place, name), 'utf8') !== '')) {
      throw new Error(`A text changed files: ${files.join(', ')}`);
    }
    return readLog(readFileSync(log, 'utf8'), texts.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const FILES = ['1', 'a', 'b', 'npm', 'x1'];

// A line for each command: bash writes lines at once, so those of a pipeline do not mix.
function readLog(log: string, count: number): Ran[] {
  const ran = Array.from({ length: count }, (): Ran => ({ succeeding: [], failing: [] }));
  for (const line of log.split('\n').slice(0, -1)) {
    const [index = '', status, ...words] = line.split('\x1f').slice(0, -1);
    const list = ran[Number(index)]?.[status === '0' ? 'succeeding' : 'failing'];
    if (list === undefined) throw new Error(`The log has a line that is none: ${JSON.stringify(line)}`);
    list.push(words.map((word) => word.replaceAll('\x1e', '\n')));
  }
  return ran;
}
