/** Stands for a secret. */
export const MASK = '…(masked)';

/** Stands for a value that is somewhere else: a variable, a template, a store of secrets. */
const REFERENCE =
  /^(?:\$|%\w+%|\{|<|\[|\(|!|\\\(|process\.env|os\.(?:environ|getenv)|env[.[(]|import\.meta|system\.getenv|secrets\.|vault:|op:\/\/|arn:|https?:)/i;

/** Stands for a value that the reader fills in, or says what it would be. */
const PLACEHOLDER = new RegExp(
  `^(?:${[
    '[x*.•_#-]{2,}',
    '[x*]+',
    String.raw`(?:your|my|our|some|the|a|an|new|old|test|fake|dummy|example|sample|demo)?[-_ ]?(?:db[-_]?)?(?:password|passwd|passphrase|pass|pwd|secret|token|api[-_]?key|key|credentials?)(?:[-_]?(?:here|goes[-_]?here|value|\d))?`,
    String.raw`(?:your|replace|change|insert|enter)[\w -]*`,
    String.raw`(?:example|placeholder|dummy|redacted|masked|hidden|removed|todo|tbd|fixme)\w*`,
    'none|null|nil|undefined|true|false|yes|no|on|off|auto|default|empty|missing|invalid|valid|expired|required|optional',
    'strings?|str|text|numbers?|int|bool|boolean|bytes|buffer|object|any|unknown|never|void|date|uuid|json|jwt|bearer|basic',
    String.raw`[a-z]\w*array`,
  ].join('|')})$`,
  'i',
);

/** Whether a value is no secret by itself: masked already, a reference, a placeholder or a type. */
export function isMade(value: string): boolean {
  return value.includes(MASK) || REFERENCE.test(value) || PLACEHOLDER.test(value);
}
