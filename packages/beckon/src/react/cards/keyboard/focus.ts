const TYPING = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';
const ARROWED = `${TYPING}, [role="radio"], [role="tab"], [role="slider"], [role="menuitem"], [role="option"], [role="listbox"]`;

/** Whether an open dialog has the keyboard for itself. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** Whether letters and digits belong to the element. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null && !isToggle(target);
}

/** Whether arrow keys belong to the element. */
export function takesArrows(target: EventTarget | null): boolean {
  return target instanceof Element && (target.closest(ARROWED) !== null || isScrolling(target));
}

// Arrows scroll the open request. In the list, and if nothing has the focus, they move through the list.
function isScrolling(target: Element): boolean {
  return target !== document.body && target.closest('[data-shortcut-list]') === null;
}

function isToggle(target: Element): boolean {
  return target instanceof HTMLInputElement && ['checkbox', 'radio', 'button', 'submit'].includes(target.type);
}
