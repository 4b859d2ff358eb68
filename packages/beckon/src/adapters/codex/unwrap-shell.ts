/** A shell that only runs one text: `/bin/bash -lc '…'`. */
const SHELL = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|z|da)?sh -l?c ([\s\S]+)$/;
/** A part of a word that stands for exactly itself: in quotes, behind a backslash, or harmless. */
const PART = /'([^']*)'|"((?:[^"\\$`!]|\\[\s\S])*)"|\\([^\n])|([\w./=:,+@%^-]+)/y;

/**
 * The command that a person typed or a model wrote, without the shell that Codex starts it with: rules and risk look at
 * it. What is not certainly one quoted text stays as it is.
 */
export function unwrapShell(command: string): string {
  const quoted = SHELL.exec(command)?.[1];
  return (quoted === undefined ? undefined : readWord(quoted)) ?? command;
}

/** What a shell makes of one quoted word; `undefined` if it is more than a word, or if a shell would change it. */
function readWord(quoted: string): string | undefined {
  let word = '';
  PART.lastIndex = 0;
  while (PART.lastIndex < quoted.length) {
    const part = PART.exec(quoted);
    if (part === null) return undefined;
    const [, single, double, escaped, plain] = part;
    word += single ?? unescape(double) ?? escaped ?? plain ?? '';
  }
  return word;
}

// Between double quotes a backslash quotes only these, and otherwise stands for itself.
function unescape(double: string | undefined): string | undefined {
  return double?.replaceAll(/\\([$`"\\\n])/g, (_, quoted: string) => (quoted === '\n' ? '' : quoted));
}
