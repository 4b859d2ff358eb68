/**
 * The TypeScript of a page as programs. A block that begins with `import` starts a program; a block without imports
 * continues the one before. `<!-- given: … -->` above a block declares what readers bring themselves, such as a token.
 */
export interface Program {
  /** The page, such as `docs/connect.md`. */
  page: string;
  extension: string;
  /** Each line of code has the index of its line on the page, so the compiler reports the lines of the page. */
  lines: string[];
}

const PARTS = /(?<open><!-- given:\s)(?<given>.*?)-->|(?<fence>^```(?<extension>tsx?)\n)(?<code>.*?)^```$/gms;

/** The programs of a page, in order. */
export function readPrograms(page: string, text: string): Program[] {
  const programs: Program[] = [];
  let given: string[] = [];
  for (const { index, groups = {} } of text.matchAll(PARTS)) {
    const { open = '', fence = '', extension } = groups;
    const first = text.slice(0, index + open.length + fence.length).split('\n').length - 1;
    const lines: string[] = Array.from({ length: first }, () => '');
    lines.push(...(groups['given'] ?? groups['code'] ?? '').split('\n'));
    if (extension === undefined) {
      given = overlay(given, lines);
      continue;
    }
    const last = programs.at(-1);
    if (last === undefined || lines[first]?.startsWith('import ') === true)
      programs.push({ page, extension, lines: overlay(given, lines) });
    else {
      last.lines = overlay(last.lines, overlay(given, lines));
      if (extension === 'tsx') last.extension = 'tsx';
    }
    given = [];
  }
  return programs;
}

/** The output that a program promises: each `console.log(…); // output`. A program without one is only compiled. */
export function toPromisedOutput({ lines }: Program): string | undefined {
  const outputs = lines.flatMap((line) => /^\s*console\.log\(.*\); \/\/ (.+)/.exec(line)?.[1] ?? []);
  return outputs.length === 0 ? undefined : outputs.join('\n');
}

function overlay(below: readonly string[], above: readonly string[]): string[] {
  const length = Math.max(below.length, above.length);
  return Array.from({ length }, (_, line) => above[line] || below[line] || '');
}
