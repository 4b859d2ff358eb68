import type { AnswerInput } from '../../protocol/answers.ts';
import { answer, decide, problem, type Said, toFailure, toSettledText } from '../shared/decide.ts';
import { Presses } from '../shared/presses.ts';
import { NOT_VALID, TOO_SOON } from '../shared/words.ts';
import { isSilent, readChosen, toActions, toLabel, toPress } from './choices.ts';
import { type Delivery, isOn } from './deliveries.ts';
import type { FormListener } from './form-listener.ts';
import type { Place } from './place.ts';
import { type BlockActions, toMs } from './wire.ts';
import { NOT_LISTED, NOTHING_CHOSEN, UNKNOWN } from './words.ts';

/** One press: who pressed what, for which delivery. */
interface Pressed {
  actions: BlockActions;
  delivery: Delivery;
  choice: string;
  /** The signed data of the button. */
  data: string;
  who: string;
  isTooSoon: boolean;
}

/** Brings presses to Beckon, but only of listed people, and only of buttons that we made for that message. */
export class PressListener {
  readonly #place: Place;
  readonly #forms: FormListener;
  readonly #presses: Presses;

  constructor(place: Place, forms: FormListener) {
    this.#place = place;
    this.#forms = forms;
    this.#presses = new Presses(place.settings.momentMs);
  }

  /** Takes one press. What went wrong is told to the person alone; what worked is seen in the message. */
  async take(actions: BlockActions): Promise<void> {
    const place = this.#place;
    const { user, container } = actions;
    const { channel_id: channel, message_ts: ts } = container;
    const [action] = actions.actions;
    if (action === undefined || !place.isListed(channel, user.id) || isSilent(action)) return;
    const who = place.findName(channel, user.id);
    if (who === undefined) return place.whisper(channel, user.id, NOT_LISTED);
    const found = await this.#findPressed(action.value ?? '', channel, ts);
    if (found === null) return place.whisper(channel, user.id, NOT_VALID);
    const { delivery } = found;
    const isTooSoon = this.#isTooSoon(delivery, user.id, toMs(action.action_ts));
    const said = await this.#press({ actions, ...found, data: action.value ?? '', who, isTooSoon });
    if (said.isProblem) place.whisper(channel, user.id, said.text);
  }

  #isTooSoon(delivery: Delivery, user: string, at: number): boolean {
    const { api, settings } = this.#place;
    api.learnTime(at);
    const { changedAt } = delivery;
    const isFresh = changedAt !== undefined && performance.now() - changedAt < settings.momentMs;
    return this.#presses.isTooSoon(delivery, user, at) || isFresh;
  }

  async #press(pressed: Pressed): Promise<Said> {
    const { actions, delivery, choice, who, isTooSoon } = pressed;
    const place = this.#place;
    const press = toPress(delivery, choice);
    switch (press.type) {
      case 'answer':
      case 'anyway':
      case 'back': {
        const repaint = (): void => place.work.inBackground(() => place.sender.repaint(delivery));
        return decide(press, { ...place.toAnswering(delivery, who), person: actions.user.id, isTooSoon, repaint });
      }
      case 'done':
        return this.#send(pressed, async () => this.#readSelected(delivery, actions));
      case 'action':
        return this.#send(pressed, () => this.#toAction(delivery, press.index));
      case 'form':
        if (delivery.isClosed) return problem(toSettledText(delivery.interaction));
        return this.#forms.open(delivery, pressed.data, actions.trigger_id ?? '');
      case 'nothing':
        return { text: '', isProblem: false };
      case 'unknown':
        return problem(NOT_VALID);
    }
  }

  /** Sends an answer; a text instead of one says why there is none. */
  async #send({ delivery, who, isTooSoon }: Pressed, toInput: () => Promise<AnswerInput | string>): Promise<Said> {
    const place = this.#place;
    if (delivery.isClosed) return problem(toSettledText(delivery.interaction));
    if (isTooSoon) return problem(TOO_SOON);
    const answering = place.toAnswering(delivery, who);
    try {
      const input = await toInput();
      return typeof input === 'string' ? problem(input) : await answer(input, answering);
    } catch (error) {
      return problem(toFailure(error, answering));
    }
  }

  /** The options that the person sees as chosen: their press brings them along, signed by us. */
  #readSelected(delivery: Delivery, { state, container }: BlockActions): AnswerInput | string {
    const labels: string[] = [];
    for (const data of readChosen(state)) {
      const found = this.#place.findSigned(data, container.channel_id);
      const label = found?.delivery === delivery ? toLabel(delivery.labels, found.choice) : undefined;
      if (label === undefined) return NOT_VALID;
      labels.push(label);
    }
    return labels.length === 0 ? NOTHING_CHOSEN : { selected: labels };
  }

  async #toAction(delivery: Delivery, index: number): Promise<AnswerInput | string> {
    const interaction = await this.#place.findInteraction(delivery);
    if (interaction?.kind !== 'component') return UNKNOWN;
    const chosen = toActions(interaction)[index];
    if (chosen === undefined) return NOT_VALID;
    const { action, data, component } = chosen;
    return { action, data, ...(component !== undefined && { component }) };
  }

  /** The delivery whose button was pressed; `null` if the button is forged, or was not made for this message. */
  async #findPressed(
    data: string,
    channel: string,
    ts: string,
  ): Promise<{ delivery: Delivery; choice: string } | null> {
    const { deliveries, sender } = this.#place;
    const found = this.#place.findSigned(data, channel);
    if (found === null) return null;
    const { delivery } = found;
    // A person may press before the reply to our post brings the name of the message.
    if (!isOn(delivery, ts)) await sender.whenIdle(delivery);
    if (isOn(delivery, ts)) return found;
    if (delivery.lostSince === undefined) return null;
    delivery.strays.push(ts);
    deliveries.save();
    if (delivery.isClosed && delivery.interaction !== undefined) this.#place.close(delivery.interaction);
    return found;
  }
}
