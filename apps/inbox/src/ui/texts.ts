import type { ErrorCode } from 'beckon/protocol';

export const texts = {
  loading: 'Loading',
  loadMore: 'Load more',
  loadingMore: 'Loading more',
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied. Select the text instead.',
  back: 'Back',
  decision: 'Decision',
  listWidth: 'Width of the list',
  more: 'More choices',
  broken: {
    title: 'Something went wrong on this page',
    hint: 'Reload the page. Answers that Beckon confirmed are safe.',
    reload: 'Reload',
  },
  errors: {
    unreachable: 'Beckon cannot be reached.',
    unauthorized: 'You are no longer logged in.',
    forbidden: 'You are not allowed to do this.',
    too_many_requests: 'Too many attempts. Wait a moment.',
    store_unavailable: 'Beckon cannot reach its database.',
    store_full: 'The disk with Beckon’s database is full.',
    store_busy: 'Another process is using Beckon’s database.',
    too_large: 'This is too large.',
    internal: 'Something went wrong in Beckon.',
  } as Partial<Record<ErrorCode, string>>,
};
