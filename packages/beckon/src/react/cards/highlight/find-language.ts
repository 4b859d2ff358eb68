/** File name endings, and the whole names of files without one. */
const ENDINGS: Readonly<Record<string, string>> = {
  ...toEndings('bash', 'sh bash zsh bashrc zshrc profile env'),
  ...toEndings('c', 'c h'),
  ...toEndings('cpp', 'cc cpp cxx hh hpp hxx'),
  ...toEndings('csharp', 'cs'),
  ...toEndings('css', 'css'),
  ...toEndings('dockerfile', 'dockerfile containerfile'),
  ...toEndings('go', 'go'),
  ...toEndings('ini', 'ini toml conf cfg editorconfig gitconfig'),
  ...toEndings('java', 'java'),
  ...toEndings('javascript', 'js jsx mjs cjs'),
  ...toEndings('json', 'json jsonc json5 webmanifest ipynb'),
  ...toEndings('kotlin', 'kt kts'),
  ...toEndings('lua', 'lua'),
  ...toEndings('makefile', 'makefile mk'),
  ...toEndings('markdown', 'md markdown mdx'),
  ...toEndings('php', 'php'),
  ...toEndings('powershell', 'ps1 psm1'),
  ...toEndings('python', 'py pyi pyw'),
  ...toEndings('ruby', 'rb rake gemfile rakefile'),
  ...toEndings('rust', 'rs'),
  ...toEndings('scss', 'scss'),
  ...toEndings('sql', 'sql'),
  ...toEndings('swift', 'swift'),
  ...toEndings('typescript', 'ts tsx mts cts'),
  ...toEndings('xml', 'xml html htm svg vue plist'),
  ...toEndings('yaml', 'yaml yml'),
};

/** The language of a file, by its name. Nothing is guessed from the content. */
export function findLanguage(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(ENDINGS, ending) ? (ENDINGS[ending] ?? null) : null;
}

function toEndings(language: string, endings: string): Record<string, string> {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, language]));
}
