/** What a login link says: its code and, if it leads to a request, the path of that. */
export interface LoginLink {
  code: string;
  to?: string;
}

/** The only places that a link may lead to. Anything else could be an address of somebody else's page. */
const REQUEST_PATH = /^\/i\/[\w.~:@+=%-]{1,900}$/;

/** What is in the fragment of a login link, or in the code alone; `null` if there is no code. */
export function toLoginLink(link: string): LoginLink | null {
  const [code = '', ...fields] = link
    .slice(link.indexOf('#') + 1)
    .trim()
    .split('&');
  if (!/^[\w-]{8,200}$/.test(code)) return null;
  const to = new URLSearchParams(fields.join('&')).get('to') ?? '';
  return { code, ...(REQUEST_PATH.test(to) && !to.includes('..') && { to }) };
}
