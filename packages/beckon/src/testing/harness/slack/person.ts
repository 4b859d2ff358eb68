import { readControls, readFields, type SeenControl } from './reading.ts';
import { BOT, type KeptMessage, type OpenView, type SlackWorkspace } from './slack-workspace.ts';

/** What else is true of a press. */
export interface PressOptions {
  /** The labels that the person has chosen in the lists of the message. */
  chosen?: readonly string[];
  /** When they pressed, in milliseconds by Slack's clock. Default: now. */
  at?: number;
}

/** A person in Slack, with a client that is honest unless a test says otherwise. */
export class Person {
  readonly #slack: SlackWorkspace;
  readonly id: string;

  constructor(slack: SlackWorkspace, id: string) {
    this.#slack = slack;
    this.id = id;
  }

  /** Writes into a channel, or into the thread of a message. */
  say(text: string, place: KeptMessage | string, more: object = {}): KeptMessage {
    const channel = typeof place === 'string' ? place : place.channel;
    const thread = typeof place === 'string' ? {} : { thread_ts: place.thread_ts ?? place.ts };
    const written = { channel, user: this.id, text, blocks: [], ...thread, isBroadcast: false, files: [], more };
    return this.#slack.keep(written);
  }

  /** Presses the control whose label contains `label`. Returns the id of the press. */
  press(message: KeptMessage, label: string, options: PressOptions = {}): string {
    const control = readControls(message.blocks).find(({ text }) => text.includes(label));
    if (control === undefined) throw new Error(`No button ${label} below ${JSON.stringify(message.blocks)}`);
    return this.pressControl(message, control, options);
  }

  /** Sends any press, as a client that was tampered with could. */
  pressControl(
    message: Pick<KeptMessage, 'channel' | 'ts' | 'blocks'>,
    control: SeenControl,
    options: PressOptions = {},
  ): string {
    const { channel, ts } = message;
    const action_ts = options.at === undefined ? this.#slack.newTs() : (options.at / 1000).toFixed(6);
    const { type, action_id, block_id, value } = control;
    return this.#slack.sockets.deliver('interactive', {
      type: 'block_actions',
      ...this.#toHead(),
      container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
      trigger_id: this.#slack.newTrigger(this.id),
      channel: { id: channel, name: 'agents' },
      state: { values: toState(message.blocks, options.chosen ?? []) },
      response_url: 'https://hooks.slack.com/actions/x',
      actions: [{ type, action_id, block_id, action_ts, ...(value !== undefined && { value }) }],
    });
  }

  /** Fills in a form by the labels of its fields, and sends it. Returns the id of the envelope. */
  submit(view: OpenView, values: Readonly<Record<string, unknown>>, changes: object = {}): string {
    const { id, hash, view: shown } = view;
    const { blocks, private_metadata } = shown as { blocks: unknown[]; private_metadata: string };
    const state: Record<string, Record<string, unknown>> = {};
    for (const field of readFields(blocks)) {
      state[field.block_id] = { [field.action_id]: fill(field, values[field.label]) };
    }
    const sent = {
      id,
      hash,
      type: 'modal',
      blocks,
      private_metadata,
      callback_id: '',
      state: { values: state },
      ...changes,
    };
    return this.#slack.sockets.deliver('interactive', { type: 'view_submission', ...this.#toHead(), view: sent });
  }

  #toHead(): object {
    const user = { id: this.id, username: this.id.toLowerCase(), name: this.id.toLowerCase(), team_id: 'T1' };
    return { user, api_app_id: BOT.app, token: 'x', team: { id: 'T1', domain: 'team' }, is_enterprise_install: false };
  }
}

/** What a person sees as chosen in the lists of a message. */
function toState(blocks: readonly unknown[], chosen: readonly string[]): object {
  const lists = readControls(blocks).filter(({ type }) => type !== 'button');
  return Object.fromEntries(
    lists.map(({ type, block_id, action_id, options }) => {
      const selected = options.filter(({ text }) => chosen.some((label) => text.includes(label)));
      const several =
        type === 'static_select' ? { selected_option: selected[0] ?? null } : { selected_options: selected };
      return [block_id, { [action_id]: { type, ...several } }];
    }),
  );
}

function fill({ type, options, element }: ReturnType<typeof readFields>[number], value: unknown): object {
  const pick = (label: unknown) => options.find(({ text }) => text === label) ?? null;
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: value === undefined ? (element['initial_option'] ?? null) : pick(value) };
    case 'multi_static_select':
      return { type, selected_options: ((value ?? []) as unknown[]).map(pick) };
    case 'datepicker':
      return { type, selected_date: value ?? null };
    case 'datetimepicker':
      return { type, selected_date_time: value ?? null };
    default:
      return { type, value: value ?? element['initial_value'] ?? null };
  }
}
