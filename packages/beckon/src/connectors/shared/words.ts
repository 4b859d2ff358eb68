/** What people read after a press or a text, the same in every chat. */

export const NOT_VALID = 'This button is not valid here.';
export const TOO_SOON =
  'This came too soon after another press, or after the message, so it was not used. Look again, then press.';
export const OTHER_FACE = 'This message has changed since, so nothing was sent. Look again, then press.';
export const OTHER_PERSON = 'Somebody else began to allow this. To allow it yourself, press Back, then Allow.';
export const NOT_BY_TEXT = 'This cannot be answered by a text.';
export const ONLY_TEXT = 'Beckon only reads text.';
