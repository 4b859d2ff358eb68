import type { Rules } from '../core/rules.ts';
import { Id } from '../protocol/ids.ts';
import { parse, type Schema } from '../protocol/parse.ts';
import { Rule, RuleDetails, RulePreview, RuleVerdict } from '../protocol/rule.ts';
import {
  DismissReply,
  OffersReply,
  RemoveRuleReply,
  RulesReply,
  SuggestionsReply,
  WrongReply,
} from '../protocol/rules-http.ts';
import { toQuery } from './connect-history.ts';
import { Http, type Request } from './http.ts';
import { parseReply } from './reply.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Gives the rules of the Beckon at `url`. It connects with each call; there is nothing to close. */
export function connectRules(url: string, options: ConnectOptions = {}): Rules {
  const http = new Http(toHttpSettings(url, options));

  async function call<Output>(
    request: Request,
    schema: Schema<Output>,
    sending: { isRepeatable?: boolean } = {},
  ): Promise<Output> {
    const { error, body } = await http.call(request, sending);
    if (error !== null) throw error;
    return parseReply(http.baseUrl, schema, body);
  }

  return {
    list: async (page = {}) => {
      const { items, next } = await call({ method: 'GET', path: `/v1/rules${toQuery(page)}` }, RulesReply);
      return { items, ...(next !== undefined && { next }) };
    },
    get: async (id) => {
      const reply = await http.call({ method: 'GET', path: toPath(id) });
      if (reply.error?.code === 'rule_not_found') return null;
      if (reply.error !== null) throw reply.error;
      return parseReply(http.baseUrl, RuleDetails, reply.body);
    },
    // Sent again only if the server certainly did not handle it: there would be two rules.
    add: async (rule, { confirm } = {}) =>
      call({ method: 'POST', path: '/v1/rules', body: { rule, ...toConfirm(confirm) } }, Rule, { isRepeatable: false }),
    edit: async (id, change, { confirm } = {}) =>
      call({ method: 'PATCH', path: toPath(id), body: { change, ...toConfirm(confirm) } }, Rule),
    remove: async (id) => (await call({ method: 'DELETE', path: toPath(id) }, RemoveRuleReply)).removed,
    preview: async (rule) => call({ method: 'POST', path: '/v1/rules/preview', body: { rule } }, RulePreview),
    test: async (sample, rule) => {
      const body = { sample, ...(rule !== undefined && { rule }) };
      return call({ method: 'POST', path: '/v1/rules/test', body }, RuleVerdict);
    },
    offers: async (id) => {
      const path = `/v1/interactions/${parseId(id)}/rule-offers`;
      const { offers, why } = await call({ method: 'GET', path }, OffersReply);
      return { offers, ...(why !== undefined && { why }) };
    },
    suggestions: async () => (await call({ method: 'GET', path: '/v1/rules/suggestions' }, SuggestionsReply)).items,
    dismiss: async (key) => {
      await call({ method: 'POST', path: '/v1/rules/suggestions/dismiss', body: { key } }, DismissReply);
    },
    markWrong: async (id) => {
      const path = `/v1/interactions/${parseId(id)}/wrong`;
      return call({ method: 'POST', path, body: {} }, WrongReply);
    },
  };
}

function toPath(id: string): string {
  return `/v1/rules/${parseId(id)}`;
}

function parseId(id: string): string {
  return parse(Id, id, { what: 'id' });
}

function toConfirm(confirm: boolean | undefined): { confirm?: boolean } {
  return confirm === undefined ? {} : { confirm };
}
