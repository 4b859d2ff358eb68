// A stand-in for Gemini on loopback: it speaks Gemini's HTTP and says what the script says. To use the real one, set
// GEMINI_API_KEY and leave out this file.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts the stand-in and points the environment to it. Each call returns the next components; the last repeat. */
export async function startGemini(...script: object[][]): Promise<() => void> {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const components = script[Math.min(calls, script.length - 1)];
      calls += 1;
      const text = JSON.stringify({ components });
      const chunk = { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(chunk)}\n\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env['GEMINI_BASE_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env['GEMINI_API_KEY'] = 'not-needed-here';
  return () => {
    server.closeAllConnections();
    server.close();
  };
}
