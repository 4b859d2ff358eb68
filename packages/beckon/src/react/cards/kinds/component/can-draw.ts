import { toVisible } from '../../../../presentation/index.ts';
import { isObject, type Json, ownText } from '../../../../protocol/index.ts';

/** The components that `beckon/react` draws. It is loaded on demand, so the names are repeated here. */
export const DRAWN: ReadonlySet<string> = new Set(
  'card table timeline accordion tabs markdown image embed citation suggestions form chart'.split(' '),
);

/**
 * Whether to draw a tree: its first levels hold only known components, and nothing in it is invisible. Components draw
 * their texts unmarked, so a misleading tree is listed as text, with marks.
 */
export function canDraw(tree: Json): boolean {
  return isKnown(tree, 0) && !hasHidden(tree);
}

function isKnown(tree: Json, level: number): boolean {
  if (Array.isArray(tree)) return level < 8 && tree.length <= 500 && tree.every((child) => isKnown(child, level + 1));
  return isObject(tree) && DRAWN.has(ownText(tree, 'type') ?? '');
}

function hasHidden(value: Json): boolean {
  if (typeof value === 'string') return toVisible(value) !== value.replaceAll('\r\n', '\n');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHidden);
}
