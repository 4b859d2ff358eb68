/** The code in the fragment of a login link, or the code alone; `null` if there is none. */
export function toLoginCode(link: string): string | null {
  const code = link.includes('#') ? link.slice(link.indexOf('#') + 1) : link;
  return /^[\w-]{8,200}$/.test(code.trim()) ? code.trim() : null;
}
