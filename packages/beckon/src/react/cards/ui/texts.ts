export const texts = {
  decision: 'Decision',
  more: 'More choices',
  loading: 'Loading',
};
