/** Paths of the page's views. Other paths also get the page if a browser asks for a document. */
export const VIEWS =
  /^\/(?:$|i\/[^/]+$|login$|history$|sessions$|sessions\/[^/]+$|statistics$|devices(?:\/add)?$|settings\/notifications$|machines$|connect$|prove$)/;
/** Paths that belong to the API, even without such a route. */
export const API = /^\/(?:v1|api|callback|command-complete|hooks|healthz|readyz|metrics|openapi\.json)(?:\/|$)/;

const PAGE =
  /^\/(?:i|login|history|sessions|statistics|devices|machines|rules|settings|connect|prove|assets|icons)(?:\/|$)/;

/** Whether a path begins as Beckon's own do, so that it cannot be in front of them. */
export function isOwnPath(path: string): boolean {
  return API.test(path) || PAGE.test(path) || /^\/mcp(?:\/|$)/.test(path);
}
