import { BeckonError } from 'beckon/protocol';
import { toMessage } from 'beckon/react/parts';

/** Why something about a rule failed. The server's words about rights and rules are more exact than the page's. */
export function toRuleMessage(error: unknown): string {
  const isExact =
    error instanceof BeckonError && ['forbidden', 'invalid_input', 'rule_contradicts'].includes(error.code);
  return isExact ? error.message : toMessage(error);
}

/** Whether a rule was refused because of what people decided. A second confirmation saves it without those. */
export function isContradiction(error: unknown): error is BeckonError {
  return error instanceof BeckonError && error.code === 'rule_contradicts';
}
