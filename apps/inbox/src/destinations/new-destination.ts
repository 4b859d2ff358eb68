import type { DestinationDraft } from 'beckon/client';
import type { FieldProblems } from './terms.ts';
import { texts } from './texts.ts';

/** What can be added here. A browser adds itself, and Telegram and Slack are connectors with commands of their own. */
export const ADDABLE = ['email', 'ntfy', 'webhook'] as const;
export type AddableKind = (typeof ADDABLE)[number];

/** What a form for a new destination asks for. Each kind uses some of it. */
export interface NewFields {
  label: string;
  to: string;
  server: string;
  topic: string;
  token: string;
  url: string;
  types: string;
}

export const NO_FIELDS: NewFields = {
  label: '',
  to: '',
  server: 'https://ntfy.sh',
  topic: '',
  token: '',
  url: '',
  types: '',
};

/** The draft to send, or what is wrong with the fields. The server checks addresses once more, from where it is. */
export function toNewDraft(
  kind: AddableKind,
  fields: NewFields,
): { draft: DestinationDraft } | { problems: FieldProblems<NewFields> } {
  const label = fields.label.trim();
  const named = label === '' ? {} : { label };
  const [to, server, topic, token, url] = [fields.to, fields.server, fields.topic, fields.token, fields.url].map(
    (text) => text.trim(),
  ) as [string, string, string, string, string];
  switch (kind) {
    case 'email':
      return /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(to)
        ? { draft: { kind, to } }
        : { problems: { to: texts.add.invalid.to } };
    case 'ntfy': {
      const problems: FieldProblems<NewFields> = {
        ...(!isHttpUrl(server) && { server: texts.add.invalid.url }),
        ...(!/^[\w-]{0,64}$/.test(topic) && { topic: texts.add.invalid.topic }),
        ...(/\s/.test(token) && { token: texts.add.invalid.token }),
      };
      if (Object.keys(problems).length > 0) return { problems };
      return { draft: { kind, server, ...named, ...(topic !== '' && { topic }), ...(token !== '' && { token }) } };
    }
    case 'webhook': {
      if (!isHttpUrl(url)) return { problems: { url: texts.add.invalid.url } };
      const types = fields.types.split(/[\s,]+/).filter((type) => type !== '');
      return { draft: { kind, url, ...named, ...(types.length > 0 && { filter: { types } }) } };
    }
  }
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
}
