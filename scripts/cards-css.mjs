// Makes the stylesheet of cards, packages/beckon/dist/react/cards.css: the classes that they use, all below .beckon-ui,
// so that a page around them keeps its look.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, optimize } from '@tailwindcss/node';
import { Scanner } from '@tailwindcss/oxide';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const react = join(root, 'packages', 'beckon', 'src', 'react');
const cards = join(react, 'cards');

/** Where the stylesheet goes. */
export const cardsCss = join(root, 'packages', 'beckon', 'dist', 'react', 'cards.css');

/** Writes it. */
export async function buildCardsCss() {
  const preflight = read(join(root, 'node_modules', 'tailwindcss', 'preflight.css'));
  const components = hoistKeyframes(read(join(react, 'style.css')));
  const source = `
    @import "tailwindcss/theme.css" theme(inline);
    ${read(join(cards, 'css', 'theme.css'))}
    ${components.keyframes}
    ${read(join(cards, 'css', 'palette.css'))}
    .beckon-ui {
      ${withoutRoot(preflight)}
    }
    ${read(join(cards, 'css', 'base.css'))}
    .beckon-ui {
      ${components.rest}
      ${read(join(cards, 'css', 'marks.css'))}
      @tailwind utilities;
    }`;
  const { build } = await compile(source, { base: root, onDependency: () => undefined });
  const scanner = new Scanner({ sources: [{ base: cards, pattern: '**/*.{ts,tsx}', negated: false }] });
  const { code } = optimize(build(scanner.scan()), { minify: true });
  mkdirSync(dirname(cardsCss), { recursive: true });
  writeFileSync(cardsCss, raiseGaps(code));
}

/**
 * Tailwind gives gaps between elements no specificity, so the reset below .beckon-ui would win.
 * @param {string} css
 */
function raiseGaps(css) {
  const raised = css.replaceAll(/:where\((\.beckon-ui [^()]*?)>:not\(:last-child\)\)/g, ':where($1)>:not(:last-child)');
  if (raised === css) throw new Error('Expected gaps between elements in the stylesheet of cards.');
  return raised;
}

/** @param {string} path */
function read(path) {
  return readFileSync(path, 'utf8');
}

/**
 * The reset without its rule for the whole document.
 * @param {string} css
 */
function withoutRoot(css) {
  const rest = css.replace(/html,\s*:host \{[^}]*\}/, '');
  if (rest === css) throw new Error('Expected a rule for html in the reset of Tailwind.');
  return rest;
}

/**
 * Keyframes cannot be inside a rule.
 * @param {string} css
 */
function hoistKeyframes(css) {
  /** @type {string[]} */
  const keyframes = [];
  const rest = css.replace(/@keyframes [\w-]+ \{(?:[^{}]*\{[^}]*\})*\s*\}/g, (found) => {
    keyframes.push(found);
    return '';
  });
  return { keyframes: keyframes.join('\n'), rest };
}
