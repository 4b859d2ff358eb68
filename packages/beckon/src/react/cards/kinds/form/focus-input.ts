/** Gives the focus to the input with this id, or to the first one of a group. */
export function focusInput(id: string): void {
  const found = document.getElementById(id);
  const input = found?.matches('fieldset')
    ? found.querySelector<HTMLElement>('input, select, textarea, button')
    : found;
  input?.focus();
}
