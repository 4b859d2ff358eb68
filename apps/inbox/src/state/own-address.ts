/**
 * The path in front of the page's own paths, such as `/beckon`; empty without one. The server writes it into the
 * addresses of the page's files, because it knows how the browser came.
 */
export function findBasePath(): string {
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  return manifest === null ? '' : new URL('.', manifest.href).pathname.replace(/\/$/, '');
}

/** The address of the Beckon that served the page. */
export function findOwnUrl(): string {
  return `${location.origin}${findBasePath()}`;
}
