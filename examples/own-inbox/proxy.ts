import { request as call, type IncomingMessage, type ServerResponse } from 'node:http';

/** What a browser says about the page. Beckon refuses pages of other addresses, and trusts this server instead. */
const ABOUT_THE_PAGE = /^(?:origin|referer|cookie|host|connection|sec-fetch-.*)$/;

/** Passes a call on to Beckon, and its reply back as it comes: the stream of events never ends. */
export function proxy(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ABOUT_THE_PAGE.test(name)));
  const passed = call(target, { method: request.method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
