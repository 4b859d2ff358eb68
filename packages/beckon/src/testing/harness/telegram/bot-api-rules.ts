type Payload = Record<string, unknown>;

/**
 * The fields that each method of the Bot API takes of those that a connector may need; `!` marks those that must be
 * there.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  getMe: [],
  deleteWebhook: ['drop_pending_updates'],
  sendMessage: ['chat_id!', 'text!', 'entities', 'link_preview_options', 'reply_markup', 'reply_parameters'],
  sendDocument: ['chat_id!', 'document!', 'caption', 'reply_markup'],
  editMessageText: ['chat_id!', 'message_id!', 'text!', 'entities', 'link_preview_options', 'reply_markup'],
  editMessageReplyMarkup: ['chat_id!', 'message_id!', 'reply_markup'],
  answerCallbackQuery: ['callback_query_id!', 'text', 'show_alert'],
};

/** What Telegram would refuse about a call, or what no call of ours may have (`parse_mode`). `null`: nothing. */
export function findFault(method: string, payload: Payload): string | null {
  const fields = FIELDS[method];
  if (fields === undefined) return 'the method is not known';
  const names = fields.map((field) => field.replace('!', ''));
  const extra = Object.keys(payload).find((name) => !names.includes(name));
  if (extra !== undefined) return `the field ${extra} is not expected`;
  const missing = fields.find((field) => field.endsWith('!') && payload[field.slice(0, -1)] === undefined);
  if (missing !== undefined) return `the field ${missing.slice(0, -1)} is missing`;
  if ('chat_id' in payload && !Number.isSafeInteger(payload['chat_id'])) return 'chat_id is not a number';
  return findTextFault(method, payload) ?? findKeyboardFault(payload['reply_markup']);
}

function findTextFault(method: string, { text, entities }: Payload): string | null {
  if (text === undefined) return null;
  if (typeof text !== 'string' || !text.isWellFormed()) return 'text is not a well-formed text';
  if (text.trim() === '') return 'message text is empty';
  const most = method === 'answerCallbackQuery' ? 200 : 4096;
  if (text.length > most) return `message is too long: ${text.length} characters`;
  for (const { type, offset, length } of (entities ?? []) as { type: string; offset: number; length: number }[]) {
    if (!['bold', 'pre'].includes(type)) return `the entity ${type} is not expected`;
    if (offset < 0 || length < 1 || offset + length > text.length) return 'an entity is outside of its text';
  }
  return null;
}

function findKeyboardFault(markup: unknown): string | null {
  if (markup === undefined) return null;
  const rows = (markup as { inline_keyboard?: { text?: unknown; callback_data?: unknown }[][] }).inline_keyboard;
  if (!Array.isArray(rows)) return 'reply_markup is not an inline keyboard';
  if (rows.flat().length > 100) return 'too many buttons';
  if (JSON.stringify(markup).length > 10_240) return 'reply markup is too long';
  for (const button of rows.flat()) {
    if (typeof button.text !== 'string' || button.text === '') return 'a button has no text';
    const data = button.callback_data;
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 0;
    if (bytes < 1 || bytes > 64) return `BUTTON_DATA_INVALID: ${bytes} bytes`;
  }
  return null;
}
