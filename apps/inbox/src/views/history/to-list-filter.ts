import { KINDS, type ListFilter, STATUSES } from 'beckon/protocol';

/** The valid filters of an address, which anybody can type. */
export function toListFilter(params: URLSearchParams): ListFilter {
  const status = STATUSES.find((name) => name === params.get('status'));
  const kind = KINDS.find((name) => name === params.get('kind'));
  const text = params.get('text')?.trim().slice(0, 200);
  const chatId = params.get('chat')?.trim();
  const sessionId = params.get('session')?.trim();
  return {
    ...(status !== undefined && { status }),
    ...(kind !== undefined && { kind }),
    ...(text && { text }),
    ...(chatId && { chatId }),
    ...(sessionId && { sessionId }),
  };
}

export function hasFilter(filter: ListFilter): boolean {
  return Object.keys(filter).length > 0;
}
