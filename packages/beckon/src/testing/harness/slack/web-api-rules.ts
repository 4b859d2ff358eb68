import { findBlockFault, findNoticeFault, findViewFault } from './block-kit-rules.ts';

type Payload = Record<string, unknown>;

/** The fields that each method takes, of those that a connector may need; `!` marks those that must be there. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'apps.connections.open': [],
  'chat.postMessage': [
    'channel!',
    'text!',
    'blocks!',
    'mrkdwn!',
    'parse!',
    'link_names!',
    'unfurl_links!',
    'unfurl_media!',
    'thread_ts',
    'reply_broadcast',
  ],
  'chat.update': ['channel!', 'ts!', 'text!', 'blocks!', 'parse!', 'link_names!'],
  'chat.postEphemeral': ['channel!', 'user!', 'text!', 'blocks!', 'parse!', 'link_names!', 'thread_ts'],
  'files.getUploadURLExternal': ['filename!', 'length!'],
  'files.completeUploadExternal': ['files!', 'channel_id!', 'thread_ts', 'initial_comment', 'channels'],
  'conversations.replies': ['channel!', 'ts!', 'limit', 'cursor'],
  'conversations.history': ['channel!', 'oldest', 'limit', 'cursor'],
  'views.open': ['trigger_id!', 'view!'],
  'views.update': ['view_id!', 'view!'],
};

/** The scope that each method needs, as far as a token may lack one. */
export const SCOPES: Readonly<Record<string, string>> = {
  'apps.connections.open': 'connections:write',
  'chat.postMessage': 'chat:write',
  'chat.update': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'files.getUploadURLExternal': 'files:write',
  'files.completeUploadExternal': 'files:write',
  'conversations.replies': 'channels:history',
  'conversations.history': 'channels:history',
};

/** What Slack would refuse about a call, or what no call of ours may have, such as markup. `null`: nothing. */
export function findFault(method: string, payload: Payload): string | null {
  const fields = FIELDS[method];
  if (fields === undefined) return 'the method is not known';
  const names = fields.map((field) => field.replace('!', ''));
  const extra = Object.keys(payload).find((name) => !names.includes(name));
  if (extra !== undefined) return `the field ${extra} is not expected`;
  const missing = fields.find((field) => field.endsWith('!') && payload[field.slice(0, -1)] === undefined);
  if (missing !== undefined) return `the field ${missing.slice(0, -1)} is missing`;
  if (method.startsWith('views.')) return findViewFault(payload['view']);
  if (!method.startsWith('chat.')) return null;
  const isInert = payload['parse'] === 'none' && payload['link_names'] === 'false';
  if (!isInert) return 'names and links would be looked for';
  const hasPreviews = [payload['unfurl_links'], payload['unfurl_media']].some((value) => value === 'true');
  if (hasPreviews || payload['mrkdwn'] === 'true') return 'markup and previews are on';
  return findNoticeFault(payload['text']) ?? findBlockFault(payload['blocks'], 'message');
}
