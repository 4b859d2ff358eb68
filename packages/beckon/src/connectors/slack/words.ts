/** What people read in Slack. */

export const NOT_LISTED =
  'You are not on the list of people who may answer here, so nothing was sent. Ask whoever runs Beckon to add you.';
export const IN_CHANNEL =
  'A text in the channel answers nothing. Reply in the thread of the request that you mean, or press its buttons.';
export const ASKED_SINCE = 'The message has changed since you wrote this, so it was not used. Please write it again.';
export const NOT_ALL_THERE =
  'The whole text is not in the thread yet, so this was not used. Please write it again when it is there.';
export const NOT_OWN_WORDS = 'A text that an app wrote is not used. Please write it yourself.';
export const UNKNOWN_THREAD = 'Beckon no longer knows the message of this thread. Reply to a newer one.';
export const UNKNOWN = 'Beckon no longer knows this.';
export const NOTHING_CHOSEN = 'Choose something first, then press Done.';
export const FORM_NOT_OPENED = 'Slack did not open the form in time. Please press Fill in again.';
export const FORM_TOO_SOON =
  'This came too soon after the form had opened, so it was not sent. Look at it, then send it.';
export const SENDING = 'Your answer is on its way to Beckon …';
