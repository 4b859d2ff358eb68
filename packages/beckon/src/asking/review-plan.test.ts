import { describe, expect, test } from 'vitest';
import { PLACES, usePlace } from '../testing/harness/use-places.ts';
import { reviewPlan } from './review-plan.ts';

describe.each(PLACES)('reviewPlan %s', (where) => {
  const place = usePlace(where);

  const PLAN = '# Move\n1. Dump\n2. Load';

  test('gives the plan as the person changed it, and how they accepted it', async () => {
    const review = await reviewPlan(place.agent, PLAN, {
      decisions: ['edit', 'default'],
      ...place.answer({ decision: 'default', editedPlan: '# Move slowly' }),
    });
    expect(review).toMatchObject({ accepted: true, decision: 'default', plan: '# Move slowly', isEdited: true });
  });

  test('gives feedback, comments and the changed plan when it is sent back', async () => {
    const comments = [{ quote: '2. Load', line: 3, comment: 'into which?' }];
    const review = await reviewPlan(
      place.agent,
      PLAN,
      place.answer({ decision: 'adjust', feedback: 'back up first', comments, editedPlan: '# Back up' }),
    );
    expect(review).toMatchObject({
      accepted: false,
      because: 'sent_back',
      message: 'Sent back by ada: back up first; line 3 ("2. Load"): into which?; see the edited plan',
      feedback: 'back up first',
      comments,
      editedPlan: '# Back up',
    });
    expect(review).not.toHaveProperty('plan');
  });

  test('is sent back by a plain no', async () => {
    const review = await reviewPlan(place.agent, PLAN, place.answer({ decision: 'reject' }));
    expect(review).toMatchObject({ because: 'sent_back', message: 'Sent back by ada.', comments: [] });
  });

  test('offers only what the agent can do', async () => {
    expect(await place.refuse((options) => reviewPlan(place.agent, PLAN, options), { decision: 'default' })).toBe(
      'invalid_answer',
    );
    expect(
      await place.refuse((options) => reviewPlan(place.agent, PLAN, { ...options, editPlan: false }), {
        decision: 'edit',
        editedPlan: '# Other',
      }),
    ).toBe('invalid_answer');
  });
});
