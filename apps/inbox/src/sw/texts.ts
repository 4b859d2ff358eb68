export const texts = {
  unreadable: 'Something needs you',
  unreadableBody: 'Open Beckon to see it.',
  allowed: 'Allowed',
  denied: 'Denied',
  gone: 'This request no longer exists',
  unreachable: 'Not answered: Beckon cannot be reached',
  unreachableBody: 'Open the request to try again.',
  notOpened: 'Not answered: open the request to decide',
};
