/** A plan as an editor gives it back: line ends are line feeds. */
export function toEditable(plan: string): string {
  return plan.replaceAll(/\r\n?/g, '\n');
}

/** Whether somebody changed more than an editor changes by itself. */
export function isEditOf(original: string, edited: string | null): edited is string {
  return edited !== null && toEditable(edited) !== toEditable(original);
}
