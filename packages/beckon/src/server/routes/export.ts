import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { listAll } from '../../core/list-all.ts';
import { HISTORY_CSV_HEAD, toHistoryCsvLine } from '../../presentation/history-csv.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { ExportQuery } from '../../protocol/http.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { type InteractionWithRisk, withRisk } from '../../risk/with-risk.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { createRecheck } from '../recheck.ts';
import { toStoppingError } from '../stopping.ts';
import { checkChat } from './interactions.ts';

/** The formats of an export: how it begins, and a request as text. */
const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8; header=present', head: HISTORY_CSV_HEAD, toText: toHistoryCsvLine },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    toText: (interaction: InteractionWithRisk) => `${JSON.stringify(interaction)}\n`,
  },
} as const;
/** How long the requests of others may wait while texts are looked at: some take long. */
const TURN_MS = 20;

const FILE = {
  description: 'A file with one line for each request',
  content: { 'text/csv': { schema: z.string() }, 'application/jsonl': { schema: z.string() } },
};

/** The history as a file. It is read and sent page by page, so its size does not matter. */
export function addExportRoute(scope: FastifyInstance, context: RouteContext): void {
  const { beckon, stopping } = context;

  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/v1/history/export',
    config: { action: 'look back' },
    schema: {
      operationId: 'exportHistory',
      summary: 'Every request that passes a filter as CSV or JSON lines, the newest first',
      querystring: ExportQuery,
      response: { 200: FILE, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { format = 'csv', ...wanted } = request.query;
      if (wanted.chatId !== undefined) checkChat(caller, wanted.chatId);
      const filter = { ...wanted, ...(caller.chatId !== undefined && { chatId: caller.chatId }) };
      const isStillAllowed = createRecheck(request, context);
      const { type, head, toText } = FORMATS[format];
      // The first page is read before the reply begins: what is wrong with the filter is still an error.
      const pages = listAll((page) => beckon.list(page), filter);
      const first = await pages.next();

      async function* write(): AsyncGenerator<string, void> {
        yield head + (await toLines(first.value ?? [], toText));
        for await (const items of pages) {
          if (!(await isStillAllowed())) throw new BeckonError('unauthorized', 'The token is no longer valid.');
          yield await toLines(items, toText);
        }
      }

      const file = Readable.from(write(), { objectMode: false });
      file.once(
        'close',
        stopping.onBegin(() => file.destroy(toStoppingError())),
      );
      reply
        .type(type)
        .header('content-disposition', `attachment; filename="beckon-history.${format}"`)
        .header('cache-control', 'no-store');
      // The type knows the description of the file, not the stream.
      return (reply as FastifyReply).send(file);
    },
  });
}

async function toLines(
  items: readonly Interaction[],
  toText: (interaction: InteractionWithRisk) => string,
): Promise<string> {
  let lines = '';
  let since = performance.now();
  for (const item of items) {
    lines += toText(withRisk(item));
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  return lines;
}
