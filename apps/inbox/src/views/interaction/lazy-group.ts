/** The questions of one call. Apart from the other lazy parts, some of which it uses itself. */
export function loadGroupFrame() {
  return import('./group-frame.tsx');
}
