import { startTimer } from '../timing/timer.ts';

/** Something in progress that can be aborted. Its opener ends it, and then it leaves nothing behind. */
export interface Scope {
  /** Aborts with the reason. */
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  end(): void;
}

/** When to abort, and why. */
export interface Limit {
  ms: number;
  toReason: () => unknown;
}

/** Opens a scope that aborts when `outer` aborts, with its reason, and when the time is over. */
export function openScope(outer: AbortSignal | undefined, limit?: Limit): Scope {
  const controller = new AbortController();
  const forward = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) forward();
  else outer?.addEventListener('abort', forward, { once: true });
  const stopTimer = limit === undefined ? undefined : startTimer(limit.ms, () => controller.abort(limit.toReason()));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    end: () => {
      stopTimer?.();
      outer?.removeEventListener('abort', forward);
    },
  };
}

/** All scopes of one client, so that closing the client aborts everything. */
export class Scopes {
  readonly #open = new Set<Scope>();
  #closed: { reason: unknown } | undefined;

  open(outer?: AbortSignal, limit?: Limit): Scope {
    const scope = openScope(outer, limit);
    this.#open.add(scope);
    if (this.#closed !== undefined) scope.abort(this.#closed.reason);
    return {
      ...scope,
      end: () => {
        this.#open.delete(scope);
        scope.end();
      },
    };
  }

  /** Throws the reason of `closeAll` once that was called. */
  assertOpen(): void {
    if (this.#closed !== undefined) throw this.#closed.reason;
  }

  /** Aborts what is open, and what opens later. */
  closeAll(reason: unknown): void {
    this.#closed ??= { reason };
    for (const scope of this.#open) scope.abort(reason);
  }
}
