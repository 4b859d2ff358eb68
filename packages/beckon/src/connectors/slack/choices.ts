import { type ComponentAction, findActions } from '../../presentation/component-actions.ts';
import type { Interaction, InteractionOf, Kind } from '../../protocol/interaction.ts';
import { isObject, type Json } from '../../protocol/json.ts';
import {
  type ChoiceButton,
  type DecisionPress,
  type Second,
  toDecisionButtons,
  toDecisionPress,
} from '../shared/decisions.ts';
import { type Actions, type Button, type Choice, type Option, toPlain } from './blocks.ts';
import { toFormFields } from './form-fields.ts';
import type { State } from './wire.ts';

/**
 * What pressing a control means. `done` sends what the person chose in the list beside it, `form` opens a form,
 * `action` is one of the actions of a component. `nothing`: the control sends nothing by itself.
 */
export type Press =
  | DecisionPress
  | { type: 'done' }
  | { type: 'form' }
  | { type: 'action'; index: number }
  | { type: 'nothing' }
  | { type: 'unknown' };

/** What controls are made with. */
export interface ControlOptions {
  /** The delivery's key: the names of its blocks begin with it. */
  key: string;
  /** Signs a choice for the delivery. */
  seal: (choice: string) => string;
  second: Second;
  /** Where the request is on the page; empty if nobody said where that is. */
  pageUrl: string;
}

/** The controls that only gather what "Done" sends, and the button that opens the page. */
const CHOOSE = 'choose';
const LINK = 'link';
/** More options than this are a list. A list has up to a hundred, as a question has. */
const MOST_BUTTONS = 8;
const MOST_CHECKBOXES = 10;

/** The controls below an interaction, one row each. */
export function toControls(interaction: Interaction, options: ControlOptions): Actions[] {
  const { key, seal, second } = options;
  const toButton = ({ text, choice }: ChoiceButton): Button => {
    return { type: 'button', action_id: choice, text: toPlain(text), value: seal(choice) };
  };
  const rows = toRows(interaction, options, toButton);
  // Slack keeps what a person chose by the names of the blocks, so another face has other names.
  const face = `${key}.${second.isAsking ? 'second' : 'first'}${second.round}`;
  return rows.map((elements, index) => ({ type: 'actions', block_id: `${face}.${index}`, elements }));
}

/** The labels of a question's options, by number. */
export function toLabels(interaction: Interaction): string[] {
  if (interaction.kind !== 'question') return [];
  return interaction.request.options.map(({ label }) => label);
}

/** The actions of a component that need nothing but a press; none where it has fields to fill in. */
export function toActions({ request }: InteractionOf<'component'>): ComponentAction[] {
  if (hasFields(request.components)) return [];
  const actions = findActions(request.components);
  return actions.length > MOST_BUTTONS ? [] : actions;
}

/** What a choice means. Needs only what the state file has, so it works right after a restart. */
export function toPress({ kind, labels }: { kind: Kind; labels: readonly string[] }, choice: string): Press {
  switch (kind) {
    case 'question': {
      if (choice === 'done') return { type: 'done' };
      const label = toLabel(labels, choice);
      if (label === undefined) return { type: 'unknown' };
      return { type: 'answer', answer: { selected: [label] }, isAllow: false };
    }
    case 'plan_review':
    case 'approval':
      return toDecisionPress(kind, choice) ?? { type: 'unknown' };
    case 'form':
      return choice === 'form' ? { type: 'form' } : { type: 'unknown' };
    case 'component': {
      const [, index] = /^c(\d{1,3})$/.exec(choice) ?? [];
      return index === undefined ? { type: 'unknown' } : { type: 'action', index: Number(index) };
    }
  }
}

/** Whether a control sends nothing by itself. */
export function isSilent({ action_id }: { action_id: string }): boolean {
  return action_id === CHOOSE || action_id === LINK;
}

/** The label that a choice stands for. */
export function toLabel(labels: readonly string[], choice: string): string | undefined {
  const [, index] = /^o(\d{1,3})$/.exec(choice) ?? [];
  return index === undefined ? undefined : labels[Number(index)];
}

/** The data of the options that were chosen in the list beside a button. */
export function readChosen(state: State | undefined): string[] {
  return Object.values(state?.values ?? {}).flatMap((controls) => {
    const { selected_option: one, selected_options: several } = controls[CHOOSE] ?? {};
    return [...(one ? [one.value] : []), ...(several ?? []).map(({ value }) => value)];
  });
}

function toRows(
  interaction: Interaction,
  { seal, second, pageUrl }: ControlOptions,
  toButton: (button: ChoiceButton) => Button,
): (Button | Choice)[][] {
  const link: Button[] =
    pageUrl === '' ? [] : [{ type: 'button', action_id: LINK, text: toPlain('Open the page'), url: pageUrl }];
  switch (interaction.kind) {
    case 'question':
      return toQuestionRows(interaction, seal, toButton);
    case 'plan_review':
    case 'approval':
      return toDecisionButtons(interaction, second).map((row) => row.map(toButton));
    case 'form': {
      const isSimple = toFormFields(interaction.request.schema) !== null;
      return toRow(isSimple ? [toButton({ text: 'Fill in', choice: 'form' })] : link);
    }
    case 'component': {
      const actions = toActions(interaction).map(({ label }, index) => toButton({ text: label, choice: `c${index}` }));
      return [...toRow(actions), ...toRow(link)];
    }
  }
}

function toQuestionRows(
  { request: { options, multiSelect } }: InteractionOf<'question'>,
  seal: (choice: string) => string,
  toButton: (button: ChoiceButton) => Button,
): (Button | Choice)[][] {
  const shown = options.map(({ label }, index) => ({
    text: `${index + 1}. ${label}`,
    choice: `o${index}`,
  }));
  if (shown.length === 0) return [];
  if (multiSelect !== true && shown.length <= MOST_BUTTONS) return [shown.map(toButton)];
  const list: Option[] = shown.map(({ text, choice }) => ({ text: toPlain(text), value: seal(choice) }));
  const type =
    multiSelect !== true ? 'static_select' : shown.length > MOST_CHECKBOXES ? 'multi_static_select' : 'checkboxes';
  const choice: Choice = {
    type,
    action_id: CHOOSE,
    options: list,
    ...(type !== 'checkboxes' && { placeholder: toPlain('Choose') }),
  };
  return [[choice], [toButton({ text: 'Done', choice: 'done' })]];
}

function toRow(elements: Button[]): Button[][] {
  return elements.length === 0 ? [] : [elements];
}

function hasFields(tree: Json): boolean {
  if (Array.isArray(tree)) return tree.some(hasFields);
  if (!isObject(tree)) return false;
  return tree['type'] === 'form' || Array.isArray(tree['fields']) || Object.values(tree).some(hasFields);
}
