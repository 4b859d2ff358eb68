import { toIso, toMs } from '../core/clock.ts';
import type { StoredPolicies } from '../core/time-policy.ts';
import { BeckonError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { PolicyScope, ScopedPolicy } from '../protocol/time-policies-http.ts';
import type { Reader } from './driver.ts';
import type { PolicyRow } from './timer-tables.ts';
import type { Writer } from './writer.ts';

/** The time policies in the store's tables. */
export class SqlPolicies implements StoredPolicies {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async list(): Promise<ScopedPolicy[]> {
    return (await this.#reader.all<PolicyRow>(ALL_POLICIES)).map(fromPolicyRow);
  }

  set({ chatId, project, setBy, setAt, ...policy }: Parameters<StoredPolicies['set']>[0]): Promise<void> {
    const [scope, name] = toKey({ chatId, project });
    return this.#writer.submit({
      run: async (work) => {
        await work.transaction.all(PUT_POLICY, [
          scope,
          name,
          JSON.stringify(policy),
          JSON.stringify(setBy),
          toMs(setAt),
        ]);
        const [kept] = await work.transaction.all<{ policies: number }>(
          'select count(*) as policies from time_policies',
        );
        if ((kept?.policies ?? 0) > LIMITS.policies) {
          // Only this step fails, so what it wrote must go before the others of its commit are kept.
          await work.transaction.all(REMOVE_POLICY, [scope, name]);
          throw new BeckonError(
            'invalid_input',
            `This Beckon has ${LIMITS.policies} time policies, and cannot keep more. Remove one: beckon policy list`,
          );
        }
        work.appendPolicy({ type: 'policy.set', at: setAt, ...toNamed({ chatId, project }), by: setBy });
      },
    });
  }

  remove({ scope, by, at }: { scope: PolicyScope; by: string; at: string }): Promise<boolean> {
    return this.#writer.submit({
      run: async (work) => {
        const removed = await work.transaction.all(REMOVE_POLICY, toKey(scope));
        if (removed.length === 0) return false;
        work.appendPolicy({ type: 'policy.removed', at, ...toNamed(scope), by });
        return true;
      },
    });
  }
}

/** All of them, chats first. */
export const ALL_POLICIES = 'select * from time_policies order by scope, name';

const PUT_POLICY = `insert into time_policies (scope, name, body, set_by, set_at) values ($1, $2, $3, $4, $5)
  on conflict (scope, name) do update set body = excluded.body, set_by = excluded.set_by, set_at = excluded.set_at`;
const REMOVE_POLICY = 'delete from time_policies where scope = $1 and name = $2 returning name';

export function fromPolicyRow({ scope, name, body, set_by, set_at }: PolicyRow): ScopedPolicy {
  return {
    ...(scope === 'chat' ? { chatId: name } : { project: name }),
    ...JSON.parse(body),
    setBy: JSON.parse(set_by),
    setAt: toIso(set_at),
  } as ScopedPolicy; // `set` wrote it.
}

function toKey({ chatId, project }: PolicyScope): ['chat' | 'project', string] {
  return chatId === undefined ? ['project', project ?? ''] : ['chat', chatId];
}

function toNamed({ chatId, project }: PolicyScope): { chatId?: string; project?: string } {
  return { ...(chatId !== undefined && { chatId }), ...(project !== undefined && { project }) };
}
