import { type Clock, toIso } from '../core/clock.ts';
import { RecentTexts } from '../core/recent-texts.ts';
import { routeText } from '../core/route-text.ts';
import { isBefore, isFirstStep, toStepsOf } from '../core/steps.ts';
import type { Store } from '../core/store.ts';
import type { AnsweredBy, Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { toCallKey } from '../protocol/steps.ts';
import { policy } from '../rules/policy.ts';

/** The events that end a request. */
const SETTLING: ReadonlySet<string> = new Set([
  'interaction.answered',
  'interaction.expired',
  'interaction.cancelled',
  'interaction.superseded',
]);

/** Text typed in a chat, which answers what is pending there. The same text sent twice answers once. */
export class ChatTexts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #recent = new RecentTexts();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Whether the text answered something. `seen`: the number of the last event that its writer saw. */
  async route(input: { chatId: string; text: string; by: AnsweredBy; seen: number | undefined }): Promise<boolean> {
    const { chatId, text, by, seen } = input;
    const route = routeText(await this.#listSeen(chatId, seen), text, policy.isDangerous);
    if (route.type !== 'answers') return false;
    const { target, answer } = route;
    if (seen !== undefined && target.awaitingFeedback && !(await this.#hasSeenFeedback(target, seen))) return false;
    if (seen !== undefined && !(await this.#hasSeenTurn(target, seen))) return false;
    const said = { chatId, text, who: by.who };
    const now = this.#clock.now();
    if (this.#recent.isRepeat(said, target, now)) return false;
    const forget = this.#recent.take(said, target.id, now);
    try {
      const { result } = await this.#store.recordAnswer({ id: target.id, answer, by, at: toIso(now) });
      if (result === 'accepted' || result === 'repeated') return true;
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return false;
  }

  // An interaction's position in the list is the number of its `interaction.requested`.
  async #listSeen(chatId: string, seen: number | undefined): Promise<Interaction[]> {
    const { items } = await this.#store.list({
      chatId,
      status: 'pending',
      ...(seen !== undefined && { after: String(seen + 1) }),
      limit: LIMITS.pageItems,
    });
    return items;
  }

  // Before feedback was asked for, the same words meant something else.
  async #hasSeenFeedback({ id }: Interaction, seen: number): Promise<boolean> {
    const since = await this.#store.history.readLog({
      of: { interactionId: id },
      after: seen,
      limit: LIMITS.pageItems,
    });
    return !since.some(({ type }) => type === 'interaction.feedback_requested');
  }

  // The text may be meant for an earlier step of the call, which was settled meanwhile.
  async #hasSeenTurn(step: Interaction, seen: number): Promise<boolean> {
    const { groupId, chatId } = step;
    if (toCallKey(step) === null || isFirstStep(step)) return true;
    const { items } = await this.#store.list({ groupId, chatId, limit: LIMITS.pageItems });
    for (const { id } of toStepsOf(step, items).filter((other) => isBefore(other, step))) {
      const since = await this.#store.history.readLog({
        of: { interactionId: id },
        after: seen,
        limit: LIMITS.pageItems,
      });
      if (since.some(({ type }) => SETTLING.has(type))) return false;
    }
    return true;
  }
}
