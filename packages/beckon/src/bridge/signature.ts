import { Webhook } from 'standardwebhooks';
import { BeckonError } from '../protocol/errors.ts';

/** The headers of a request. */
type SignatureHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Signs and checks bodies by the rules of Standard Webhooks, with a base64 secret such as `whsec_…`. */
export interface Signer {
  sign(id: string, at: Date, body: string): Record<string, string>;
  /** Throws `signature_refused` unless the body was signed with this secret within the last five minutes. */
  verify(headers: SignatureHeaders, body: string): void;
}

/** Throws `invalid_input` if the secret is not base64. The message does not repeat it. */
export function createSigner(secret: string): Signer {
  const webhook = toWebhook(secret);
  return {
    sign: (id, at, body) => ({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, at, body),
    }),
    verify: (headers, body) => {
      try {
        webhook.verify(
          body,
          {
            'webhook-id': String(headers['webhook-id'] ?? ''),
            'webhook-timestamp': String(headers['webhook-timestamp'] ?? ''),
            'webhook-signature': String(headers['webhook-signature'] ?? ''),
          },
          { jsonParse: false },
        );
      } catch (error) {
        throw new BeckonError(
          'signature_refused',
          `The request is not signed with the secret of this Beckon (${(error as Error).message}). ` +
            'Set the same BECKON_API_SECRET at both ends, and check both clocks.',
          { cause: error },
        );
      }
    },
  };
}

function toWebhook(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch (error) {
    throw new BeckonError(
      'invalid_input',
      'The secret of the backend must be base64, with or without "whsec_" in front. ' +
        'Make one with: openssl rand -base64 32',
      { cause: error },
    );
  }
}
