import { type Look, toOperands } from './look.ts';

/** Installing a package by its name or address. What the project's own files list is routine. */
export function checkInstalls({ program, args, command, report }: Look): void {
  const operands = toOperands(args);
  const [verb, ...names] = operands.map(({ text }) => text);
  if (
    /^(?:npm|pnpm|bun|yarn)$/.test(program) &&
    /^(?:install|i|add|update|upgrade|up|in|isntall|link|global)$/.test(verb ?? '')
  ) {
    const isLocal = names.every((name) => /^\.{0,2}\/|^file:|^workspace:/.test(name));
    if (names.length > 0 && !(isLocal && verb !== 'link') && !verb?.startsWith('up'))
      report('package-install', command);
  }
  if (/^(?:pip|pip3|pipx|uv)$/.test(program)) {
    const rest = program === 'uv' && verb === 'pip' ? names : operands.map(({ text }) => text);
    if (rest[0] !== 'install') return;
    const listed = new Set(
      args.flatMap(({ text }, at) =>
        /^(?:-r|-c|-e|--requirement|--editable|--constraint)$/.test(text) ? [args[at + 1]?.text ?? ''] : [],
      ),
    );
    const named = rest.slice(1).filter((name) => !listed.has(name) && !/^\.{1,2}(?:\/|\[|$)/.test(name));
    const isUrl = [...listed].some((name) => /^(?:https?|git\+)/.test(name));
    if (named.length > 0 || isUrl) report('package-install', command);
  }
}
