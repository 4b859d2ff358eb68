import type * as grammy from 'grammy';
import type { Api, GrammyError } from 'grammy';
import type { InlineKeyboardMarkup, Update } from 'grammy/types';
import { BeckonError } from '../../protocol/errors.ts';
import { Quiet } from '../shared/quiet.ts';
import { toStopped } from '../shared/tries.ts';
import type { Settings } from './settings.ts';
import type { MessageText } from './split.ts';

type Grammy = typeof grammy;

/**
 * The calls of the Bot API that the connector needs. Each waits as long as Telegram says after a 429, and is otherwise
 * made once: it rejects with `unreachable` where another try may succeed, else with `invalid_input`. No error has the
 * token in it.
 */
export class BotApi {
  readonly #grammy: Grammy;
  readonly #api: Api;
  readonly #signal: AbortSignal;
  /** By chat, or by method for calls without a chat. */
  readonly #quiet: Quiet;

  constructor(library: Grammy, settings: Settings, signal: AbortSignal) {
    this.#grammy = library;
    this.#signal = signal;
    this.#quiet = new Quiet(signal);
    const timeoutSeconds = settings.pollSeconds + 15;
    this.#api = new library.Api(settings.token, { apiRoot: settings.apiRoot, timeoutSeconds });
  }

  /** Checks the token, and removes a webhook, which would get the bot's updates instead. */
  async begin(): Promise<void> {
    await this.#call('getMe', null, () => this.#api.getMe(this.#grammySignal()));
    await this.#call('deleteWebhook', null, () => this.#api.deleteWebhook({}, this.#grammySignal()));
  }

  /** Sends a message and returns its number. `onLost` is called if no reply came: the message may have been sent. */
  async send(chat: number, message: MessageText, options: SendOptions = {}): Promise<number> {
    const { keyboard, replyTo, onLost } = options;
    const other = {
      entities: message.entities,
      link_preview_options: { is_disabled: true },
      ...(keyboard && { reply_markup: keyboard }),
      ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
    };
    const send = () => this.#api.sendMessage(chat, message.text, other, this.#grammySignal());
    return (await this.#call('sendMessage', chat, send, onLost)).message_id;
  }

  async sendDocument(chat: number, document: { name: string; text: string }): Promise<number> {
    const bytes = new TextEncoder().encode(document.text);
    const send = () =>
      this.#api.sendDocument(chat, new this.#grammy.InputFile(bytes, document.name), {}, this.#grammySignal());
    return (await this.#call('sendDocument', chat, send)).message_id;
  }

  /** Repaints a message; without a keyboard it loses its buttons. `null`: the message no longer exists. */
  async edit(chat: number, id: number, message: MessageText, keyboard?: InlineKeyboardMarkup): Promise<Edited | null> {
    const other = {
      entities: message.entities,
      link_preview_options: { is_disabled: true },
      ...(keyboard && { reply_markup: keyboard }),
    };
    const edit = () => this.#api.editMessageText(chat, id, message.text, other, this.#grammySignal());
    return this.#edit('editMessageText', chat, edit);
  }

  async editKeyboard(chat: number, id: number, keyboard: InlineKeyboardMarkup): Promise<Edited | null> {
    const edit = () => this.#api.editMessageReplyMarkup(chat, id, { reply_markup: keyboard }, this.#grammySignal());
    return this.#edit('editMessageReplyMarkup', chat, edit);
  }

  /** Answers the press of a button. Telegram refuses that after a while, which does no harm. */
  async answerPress(id: string, text: string, isAlert: boolean): Promise<void> {
    const answer = () =>
      this.#api.answerCallbackQuery(id, { ...(text && { text, show_alert: isAlert }) }, this.#grammySignal());
    await this.#call('answerCallbackQuery', null, answer);
  }

  /** What happened since `offset`. Waits up to `seconds` for something to happen. */
  async getUpdates(offset: number, seconds: number): Promise<Update[]> {
    const options = { offset, timeout: seconds, allowed_updates: ['message', 'callback_query'] as const };
    try {
      return await this.#api.getUpdates(options, this.#grammySignal());
    } catch (error) {
      throw this.#toError('getUpdates', error);
    }
  }

  /** Tells Telegram that everything before `offset` was taken, so it does not come again. */
  async confirm(offset: number): Promise<void> {
    await this.#call('getUpdates', null, () =>
      this.#api.getUpdates({ offset, timeout: 0, limit: 1 }, this.#grammySignal()),
    );
  }

  async #edit(
    method: string,
    chat: number,
    edit: () => Promise<true | { edit_date?: number }>,
  ): Promise<Edited | null> {
    try {
      const edited = await this.#call(method, chat, edit);
      return edited === true || edited.edit_date === undefined ? {} : { at: edited.edit_date };
    } catch (error) {
      const { description = '' } = ((error as Error).cause ?? {}) as Partial<GrammyError>;
      if (description.includes('message is not modified')) return {};
      if (/message (to edit not found|can't be edited)|MESSAGE_ID_INVALID/.test(description)) return null;
      throw error;
    }
  }

  async #call<Result>(
    method: string,
    chat: number | null,
    request: () => Promise<Result>,
    onLost?: () => void,
  ): Promise<Result> {
    for (;;) {
      await this.#quiet.keep(chat ?? method);
      if (this.#signal.aborted) throw toStopped();
      try {
        return await request();
      } catch (error) {
        if (this.#signal.aborted) throw toStopped();
        if (!this.#isRefusal(error)) onLost?.();
        if (!this.#isRefusal(error) || error.error_code !== 429) throw this.#toError(method, error);
        this.#quiet.ask(chat ?? method, error.parameters.retry_after ?? 1);
      }
    }
  }

  #isRefusal(error: unknown): error is GrammyError {
    return error instanceof this.#grammy.GrammyError;
  }

  // The cause of a lost connection is left out: it has the URL in it, and the URL has the token.
  #toError(method: string, error: unknown): BeckonError {
    if (this.#isRefusal(error)) {
      const { error_code: code, description } = error;
      const hint = code === 401 || code === 404 ? ' Is the token right?' : '';
      if (code >= 500) return new BeckonError('unreachable', `Telegram failed at ${method}: ${description} (${code})`);
      return new BeckonError('invalid_input', `Telegram refused ${method}: ${description} (${code}).${hint}`, {
        cause: { description, code },
      });
    }
    const inner = (error as { error?: NodeJS.ErrnoException }).error;
    return new BeckonError('unreachable', `Telegram could not be reached for ${method} (${inner?.code ?? 'no reply'})`);
  }

  // grammY asks for the type of its polyfill, but uses only what every signal has.
  #grammySignal(): Parameters<Api['getMe']>[0] {
    return this.#signal as unknown as Parameters<Api['getMe']>[0];
  }
}

/** A message was repainted, or looked like that already. `at`: when, in seconds by Telegram's clock. */
export interface Edited {
  at?: number;
}

/** Options of a message. */
export interface SendOptions {
  keyboard?: InlineKeyboardMarkup;
  replyTo?: number;
  onLost?: () => void;
}

/** Loads grammY, which only Telegram users install. */
export async function openBotApi(settings: Settings, signal: AbortSignal): Promise<BotApi> {
  try {
    return new BotApi(await import('grammy'), settings, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message = 'Telegram needs the package "grammy", which is not installed. Run: npm install grammy';
    throw new BeckonError('invalid_input', message, { cause: error });
  }
}
