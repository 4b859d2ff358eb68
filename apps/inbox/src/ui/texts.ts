export const texts = {
  loadMore: 'Load more',
  loadingMore: 'Loading more',
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied. Select the text instead.',
  back: 'Back',
  listWidth: 'Width of the list',
  broken: {
    title: 'Something went wrong on this page',
    hint: 'Reload the page. Answers that Beckon confirmed are safe.',
    reload: 'Reload',
  },
};
