/** What stands for a request that says nothing itself. */
export const texts = {
  emptyPlan: 'An empty plan',
  component: 'Something to look at',
  emptyQuestion: 'A question',
  form: 'A form',
};
