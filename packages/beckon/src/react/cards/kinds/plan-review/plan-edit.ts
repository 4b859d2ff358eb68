/** A plan as a text area returns it, with line feeds. */
export function toEditable(plan: string): string {
  return plan.replaceAll(/\r\n?/g, '\n');
}

/** Whether somebody changed more than the line ends, which a text area changes by itself. */
export function isEditOf(original: string, edited: string | null): edited is string {
  return edited !== null && toEditable(edited) !== toEditable(original);
}
