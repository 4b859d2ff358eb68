import type { FastifyInstance } from 'fastify';
import { refuseRepeatedNames } from '../protocol/parse-json.ts';

/** Reads JSON as Fastify does, which rejects `__proto__`, and also rejects an object that has a name twice. */
export function addJsonBody(app: FastifyInstance): void {
  const parseDefault = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    void parseDefault(request, body, (error, value: unknown) => {
      if (error !== null) return done(error);
      try {
        refuseRepeatedNames(body);
      } catch (repeated) {
        return done(repeated as Error);
      }
      return done(null, value);
    });
  });
}
