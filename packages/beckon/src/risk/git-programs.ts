import { hasWord, type Look, toOperands } from './look.ts';

/** Settings of git that name a program. */
const PROGRAM_SETTING =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|attributesfile)|pager\.\w+|sequence\.editor|diff\.external|diff\.[^=]+\.(?:command|textconv)|merge\.[^=]+\.driver|filter\.[^=]+\.(?:clean|smudge|process)|alias\.[^=]+|gpg\.(?:\w+\.)?program|credential\.helper|credential\.[^=]+\.helper|protocol\.ext\.allow|uploadpack\.packobjectshook|remote\.[^=]+\.(?:uploadpack|receivepack|proxy)|url\.ext::[^=]+\.insteadof|init\.templatedir|include\.path|difftool\.[^=]+\.cmd|mergetool\.[^=]+\.cmd|browser\.[^=]+\.cmd|man\.[^=]+\.cmd|ssh\.variant|http\.proxy)$/i;
/** Settings of git that say where an address leads instead. */
const ADDRESS_SETTING = /^url\.(?!ext::)[^=]+\.(?:insteadof|pushinsteadof)$/i;
/** Programs that only show a text, or nothing. */
const HARMLESS =
  /^(?:cat|less(?: -[\w-]+)*|more|true|:|false|vim?|nano|emacs|code(?: --wait)?|delta|bat|osxkeychain|store|cache(?: --timeout=\d+)?|manager(?:-core)?|!gh auth git-credential|ssh(?: -[io46] ?[\w./~@=-]*)*|)$/;
const VARIABLE =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG_(?:VALUE|KEY)_\d+)|PAGER|EDITOR|VISUAL|SSH_ASKPASS)=(.*)$/s;

/** Ways to make git run a program: settings for one command, settings that stay, variables. */
export function checkGit(look: Look): void {
  const { program, args, command, report } = look;
  if (program !== 'git') return;
  checkSettings(look);
  const isConfig = hasWord(args, /^config$/);
  args.forEach((word, at) => {
    const setting = /^(?:-c|--config-env|--config)$/.test(args[at - 1]?.text ?? '') ? word.text : undefined;
    if (setting !== undefined) {
      const cut = setting.indexOf('=');
      const [name, value] = cut === -1 ? [setting, ''] : [setting.slice(0, cut), setting.slice(cut + 1)];
      if (ADDRESS_SETTING.test(name)) report('remote-change', word);
      else if (PROGRAM_SETTING.test(name) && runsSomething(name, value)) report('git-runs-program', word);
    } else if (isConfig && PROGRAM_SETTING.test(word.text)) {
      const value = args[at + 1]?.text;
      if (value !== undefined && runsSomething(word.text, value))
        report('git-runs-program', { start: word.start, end: args[at + 1]?.end ?? word.end });
    } else if (word.text.startsWith('--exec-path=')) report('git-runs-program', word);
  });
  for (const word of command.assignments) {
    const value = VARIABLE.exec(word.text)?.[1];
    if (value !== undefined && !HARMLESS.test(value)) report('git-runs-program', word);
  }
}

/** `git config --global name value` changes every project; some names change where this one fetches from. */
function checkSettings({ args, report }: Look): void {
  const [verb, ...operands] = toOperands(args);
  if (verb?.text !== 'config' || hasWord(args, /^(?:--get.*|--list|-l|get|list)$/)) return;
  const isChange = operands.length > 1 || hasWord(args, /^--(?:unset.*|add|replace-all|remove-section)$/);
  if (!isChange) return;
  const scope = args.find(({ text }) => /^--(?:global|system)$/.test(text));
  if (scope !== undefined) report('outside-write', scope);
  const name = operands.find(({ text }) => ADDRESS_SETTING.test(text));
  if (name !== undefined) report('remote-change', name);
}

function runsSomething(name: string, value: string): boolean {
  if (/^(?:core\.hookspath|init\.templatedir|include\.path|url\.|protocol\.ext)/i.test(name))
    return value !== '' && !value.startsWith('.husky');
  if (/^alias\./i.test(name)) return value.startsWith('!');
  return !HARMLESS.test(value);
}
