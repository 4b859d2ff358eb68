import { answer, problem, type Said, toFailure, toSettledText } from '../shared/decide.ts';
import { NOT_VALID } from '../shared/words.ts';
import type { ModalView } from './blocks.ts';
import type { Delivery } from './deliveries.ts';
import { readValues, toFormFields } from './form-fields.ts';
import { toFormView, toNoteView } from './modal.ts';
import type { Place } from './place.ts';
import type { ViewSubmission } from './wire.ts';
import { FORM_NOT_OPENED, FORM_TOO_SOON, NOT_LISTED, UNKNOWN } from './words.ts';

const MOST_OPENED = 1000;

/** Opens forms, and brings what was filled in to Beckon. */
export class FormListener {
  readonly #place: Place;
  /** When each form was opened, by `performance.now()`. */
  readonly #openedAt = new Map<string, number>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** Opens the form of a delivery in front of the person who pressed. `data` comes back with what they fill in. */
  async open(delivery: Delivery, data: string, trigger: string): Promise<Said> {
    const { api, settings } = this.#place;
    try {
      const interaction = await this.#place.findInteraction(delivery);
      if (interaction?.kind !== 'form') return problem(UNKNOWN);
      if (interaction.status !== 'pending') return problem(toSettledText(interaction));
      const id = await api.openView(trigger, toFormView(interaction, data));
      this.#note(id);
      return { text: '', isProblem: false };
    } catch (error) {
      settings.onError(error);
      return problem(FORM_NOT_OPENED);
    }
  }

  /** Takes what was filled in. What became of it takes the place of the form; a form that was not taken comes again. */
  async take(submission: ViewSubmission): Promise<void> {
    const { view } = submission;
    const shown = await this.#submit(submission);
    this.#place.work.inBackground(() => this.#place.api.updateView(view.id, shown));
  }

  async #submit({ user, view }: ViewSubmission): Promise<ModalView> {
    const place = this.#place;
    const found = place.findSigned(view.private_metadata);
    if (found?.choice !== 'form') return toNoteView(NOT_VALID);
    const { delivery } = found;
    const who = place.findName(delivery.channel, user.id);
    if (who === undefined) return toNoteView(NOT_LISTED);
    const answering = place.toAnswering(delivery, who);
    const interaction = await place.findInteraction(delivery).catch((error: unknown) => toFailure(error, answering));
    if (typeof interaction === 'string') return toNoteView(interaction);
    if (interaction?.kind !== 'form') return toNoteView(UNKNOWN);
    const values = readValues(toFormFields(interaction.request.schema) ?? [], view.state);
    const again = (text: string): ModalView => {
      this.#note(view.id);
      return toFormView(interaction, view.private_metadata, { values, problem: text });
    };
    if (this.#isTooSoon(view.id)) return again(FORM_TOO_SOON);
    const { text, isProblem } = await answer({ values }, answering);
    return isProblem && delivery.interaction?.status === 'pending' ? again(text) : toNoteView(text);
  }

  // A key that is held down, or a double click, could send a form that nobody has read.
  #isTooSoon(id: string): boolean {
    const openedAt = this.#openedAt.get(id);
    return openedAt !== undefined && performance.now() - openedAt < this.#place.settings.momentMs;
  }

  #note(id: string): void {
    this.#openedAt.set(id, performance.now());
    const [oldest] = this.#openedAt.keys();
    if (this.#openedAt.size > MOST_OPENED && oldest !== undefined) this.#openedAt.delete(oldest);
  }
}
