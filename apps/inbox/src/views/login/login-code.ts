/** The code of a login link, which is in its fragment. Also takes the code alone. `null`: there is none. */
export function toLoginCode(link: string): string | null {
  const code = link.includes('#') ? link.slice(link.indexOf('#') + 1) : link;
  return /^[\w-]{8,200}$/.test(code.trim()) ? code.trim() : null;
}
