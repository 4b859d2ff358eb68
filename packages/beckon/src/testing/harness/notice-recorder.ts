import type { Notice, NoticeResult, NoticeSender } from '../../core/notify.ts';

/** A sender that keeps what it is to send, and answers as a test says. */
export interface NoticeRecorder extends NoticeSender {
  /** In the order in which they were handed over. */
  readonly notices: Notice[];
  /** What becomes of an attempt; at first it works. */
  answer: (notice: Notice, signal: AbortSignal) => NoticeResult | Promise<NoticeResult>;
  /** What was handed over since the last call, in short. */
  take(): string[];
}

export function createNoticeRecorder(): NoticeRecorder {
  let taken = 0;
  const recorder: NoticeRecorder = {
    notices: [],
    answer: () => ({ result: 'sent' }),
    send: async (notice, signal) => {
      recorder.notices.push(notice);
      return recorder.answer(notice, signal);
    },
    take: () => {
      const fresh = recorder.notices.slice(taken).map(toLine);
      taken = recorder.notices.length;
      return fresh;
    },
    close: async () => undefined,
  };
  return recorder;
}

/** `asked int_1 at dst_1`, `digest 37 at dst_1`. */
function toLine(notice: Notice): string {
  const about = 'interaction' in notice ? notice.interaction?.id : notice.what === 'digest' ? notice.count : '';
  return `${notice.what} ${about} at ${notice.destination.id}`;
}
