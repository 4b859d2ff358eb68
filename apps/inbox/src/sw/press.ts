import { describeEnding } from 'beckon/presentation';
import { Interaction } from 'beckon/protocol';
import { call, type Reply } from './call.ts';
import { guard } from './guard.ts';
import { type Kept, readKept, show, showBriefly } from './show.ts';
import { texts } from './texts.ts';
import { openPath } from './windows.ts';
import { type NotificationPress, worker } from './worker.ts';

type Decision = 'allow' | 'deny';

/** Opens what was pressed, or answers it with a button: only if the press can have been meant for it. */
export async function handlePress({ notification, action }: NotificationPress, at: number): Promise<void> {
  const kept = readKept(notification);
  const { path, requestId, decides } = kept;
  const mayDecide = guard.press(at, await readTimes(kept));
  if (mayDecide && requestId !== undefined && decides !== undefined && isDecision(action)) {
    await decide({ tag: notification.tag, path, requestId }, action, decides);
    return;
  }
  const { title, body, tag } = notification;
  notification.close();
  // Whoever sees nothing happen can press it once more.
  if (!(await openPath(path))) await show({ ...kept, title, body, tag, isQuiet: true });
}

/** The notification that was pressed. */
interface Pressed {
  tag: string;
  path: string;
  requestId: string;
}

async function decide(pressed: Pressed, decision: Decision, { to, headline }: NonNullable<Kept['decides']>) {
  const me = await call('/v1/me');
  if (me === null) return showUnreachable(pressed);
  // Somebody who has logged in since the notification came decides for themselves, on the page.
  if (me.status !== 200 || (me.body as { who?: unknown }).who !== to) return openInstead(pressed, headline);
  const path = `/v1/interactions/${encodeURIComponent(pressed.requestId)}/answer`;
  const reply = await call(path, { answer: { decision }, via: 'notification' });
  if (reply === null) return showUnreachable(pressed);
  const title = describe(reply, decision);
  if (title === null) return openInstead(pressed, headline);
  return showBriefly({ ...pressed, title, body: headline });
}

/** What became of the answer, in words; `null`: Beckon does not take it from here. */
function describe({ status, body }: Reply, decision: Decision): string | null {
  if (status === 200) return decision === 'allow' ? texts.allowed : texts.denied;
  if (status === 404) return texts.gone;
  if (status !== 409 && status !== 410) return null;
  const { data } = Interaction.safeParse((body as { interaction?: unknown }).interaction);
  return data === undefined ? null : describeEnding(data);
}

async function showUnreachable(pressed: Pressed): Promise<void> {
  await show({ ...pressed, title: texts.unreachable, body: texts.unreachableBody, isPressing: true });
}

async function openInstead(pressed: Pressed, headline: string): Promise<void> {
  if (await openPath(pressed.path)) await closeAll(pressed.tag);
  else await show({ ...pressed, title: texts.notOpened, body: headline, isPressing: true });
}

function isDecision(action: string): action is Decision {
  return action === 'allow' || action === 'deny';
}

/** When everything on the screen was shown. */
async function readTimes(pressed: Kept): Promise<number[]> {
  const shown = await worker.registration.getNotifications();
  return [pressed, ...shown.map(readKept)].map(({ shownAt }) => shownAt);
}

async function closeAll(tag: string): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag })) notification.close();
}
