import { hasWord, type Look } from './look.ts';

const INTERPRETER = /^(?:python[\d.]*|perl|ruby|node|deno|bun|php|lua|osascript|awk|gawk|mawk)$/;
const OPTION = /^(?:-[a-zA-Z]*[ceErp]|--eval|--print|eval)$/;
const DELETES =
  /\brmtree\b|\bshutil\.move\b|\bos\.(?:remove|unlink|rmdir|removedirs)\b|\.unlink\(|\brmSync\b|\brmdirSync\b|\bunlinkSync\b|fs(?:\.promises)?\.(?:rm|rmdir|unlink)\b|\bFileUtils\.rm|\bFile\.delete\b|\bunlink\b|\brimraf\b|do shell script "rm/;
const RUNS =
  /\bos\.(?:system|popen|exec|spawn)|\bsubprocess\b|\bchild_process\b|\bexecSync\b|\bspawn(?:Sync)?\b|\bexec\s*\(|\beval\s*\(|\bsystem\s*\(?|\bpty\.|\bsocket\b|\bnet\.connect|\brequests\.(?:post|put)|\burlopen\b|\bfetch\(\s*['"`]http|\bhttp\.request|\bIO::Socket|\bTCPSocket|\bb64decode\b|\batob\b|\bfromCharCode\b|\bBuffer\.from\([^)]*base64|\bmarshal\b|\b__import__\b|\bpack\s*\(?['"]H|do shell script|\bqx\b|\bKernel\b|`[^`]+`/;
/** The text of a command in a call of such code. */
const CALLED =
  /(?:system|popen|exec|execSync|spawn|spawnSync|run|call|check_output|check_call|Popen|shell script|qx|getoutput)\s*\(?\s*\[?\s*[frb]?(["'`])((?:(?!\1)[^\\]|\\.){1,2000})\1/g;
/** The same as a list of words. */
const LIST = /\(\s{0,9}\[\s{0,9}(["'][^"']{1,200}["'](?:\s{0,9},\s{0,9}["'][^"']{1,200}["']){1,20})/;
const SOCKETS = /\bsocket\b|TCPSocket|TCPServer|\bcreateServer\b|IO::Socket|net\.(?:connect|Socket)|fsockopen/;
const SHELLS = /\/bin\/(?:ba)?sh|\bpty\.spawn|dup2|cmd\.exe/;
const MOST_CHARS = 65_536;

/** Programs in one line: `python -c`, `node -e`, `perl -e`. What their texts run is given to `assess`. */
export function checkInlineCode(look: Look, assess: (text: string) => void): void {
  const { program, args, report } = look;
  if (/^(?:n?vim?|ex|view)$/.test(program)) checkEditor(look, assess);
  if (!INTERPRETER.test(program)) return;
  const isAwk = program.endsWith('awk');
  const codes = args.filter(
    (word, at) => (isAwk ? at === 0 : OPTION.test(args[at - 1]?.text ?? '')) && word.text.length > 0,
  );
  for (const { text, start, end } of codes) {
    const code = text.slice(0, MOST_CHARS);
    const place = { start, end };
    if (DELETES.test(code) && !isAwk) report('inline-code-deletes', place);
    if (SOCKETS.test(code) && SHELLS.test(code)) report('reverse-shell', place);
    if (isAwk ? /\bsystem\s*\(|\|\s*getline|\/inet\//.test(code) : RUNS.test(code)) report('inline-code-runs', place);
    if (
      /(?:b64decode|atob|base64|fromCharCode|fromhex|unhexlify|pack\s*\(?['"]H)/.test(code) &&
      /\b(?:exec|eval|system|Function|compile)\b/.test(code)
    )
      report('encoded-command', place);
    for (const [, , called = ''] of code.matchAll(CALLED)) assess(called.replaceAll(/\\(.)/gs, '$1'));
    const words = LIST.exec(code)?.[1];
    if (words !== undefined) assess(words.replaceAll(/\s*,\s*/g, ' '));
  }
  if (hasWord(args, /^-m$/) && hasWord(args, /^(?:pip|twine)$/)) {
    const at = args.findIndex(({ text }) => /^(?:pip|twine)$/.test(text));
    assess(
      args
        .slice(at)
        .map(({ text }) => text)
        .join(' '),
    );
  }
}

/** `vim -c ':!command'` */
function checkEditor({ args, report }: Look, assess: (text: string) => void): void {
  args.forEach((word, at) => {
    const given = /^(?:-c|--cmd)$/.test(args[at - 1]?.text ?? '') ? word.text : /^\+(.+)$/s.exec(word.text)?.[1];
    const command = given === undefined ? undefined : /!(.+)$/s.exec(given)?.[1];
    if (command === undefined) return;
    report('inline-code-runs', word);
    assess(command);
  });
}
