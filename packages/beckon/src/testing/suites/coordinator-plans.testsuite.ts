import { expect, test } from 'vitest';
import type { PlanReviewDecision } from '../../coordinator/results.ts';
import { ADA, CHAT, type CreateCoordinatorWorld, useCoordinator } from './use-coordinator.ts';

const INPUT = { plan: '# Plan', allowedPrompts: [] };
const ALLOW = { behavior: 'allow', updatedInput: INPUT };
const CLEAN = { permission: ALLOW, clearContext: true, targetMode: 'edit' };

/** Plan reviews: every branch of the document's chart. */
export function testCoordinatorPlans(create: CreateCoordinatorWorld): void {
  const tested = useCoordinator(create);

  const review = (planContent?: string) => tested.coordinator.handlePlanReview(CHAT, INPUT, planContent);

  test.for([
    ['edit', { permission: ALLOW, clearContext: false, targetMode: 'edit' }],
    ['clean_edit', CLEAN],
    ['default', { permission: ALLOW, clearContext: true, targetMode: 'default' }],
    ['yes', CLEAN],
    ['Accept', CLEAN],
    ['proceed', CLEAN],
  ] as const)('"%s" accepts the plan as %o', async ([word, decision]) => {
    const result = review();
    expect(await tested.person.resolveOption((await tested.asked()).id, word, ADA)).toBe(true);
    expect(await result).toEqual(decision);
    expect(tested.events.map(({ type, kind, outcome }) => [type, kind, outcome])).toEqual([
      ['INTERACTION_REQUESTED', 'plan_review', undefined],
      ['INTERACTION_RESOLVED', 'plan_review', 'answered'],
    ]);
  });

  test('a decision is frozen', async () => {
    const result = review();
    await tested.person.resolveOption((await tested.asked()).id, 'edit', ADA);
    const decision = (await result) as PlanReviewDecision;
    expect(() => Object.assign(decision, { clearContext: true })).toThrow(TypeError);
    expect(() => Object.assign(decision.permission, { behavior: 'deny' })).toThrow(TypeError);
    expect(decision.clearContext).toBe(false);
  });

  test('"no" is adjust, and the next text is the feedback', async () => {
    const result = review();
    const { id } = await tested.asked();
    expect(await tested.person.resolveOption(id, 'no', ADA)).toBe(true);
    expect(await tested.world.person.get(id)).toMatchObject({ awaitingFeedback: true });
    await tested.person.resolveText(CHAT, 'smaller steps', ADA);
    expect(await result).toEqual({ behavior: 'deny', message: 'smaller steps' });
  });

  test('"reject" is denied at once', async () => {
    const result = review();
    expect(await tested.person.resolveOption((await tested.asked()).id, 'reject', ADA)).toBe(true);
    expect(await result).toEqual({ behavior: 'deny', message: 'The plan was rejected.' });
  });

  test('an unknown word changes nothing, and says so', async () => {
    const result = review();
    const { id } = await tested.asked();
    expect(await tested.person.resolveOption(id, 'perhaps', ADA)).toBe(false);
    expect(await tested.world.person.get(id)).toMatchObject({ status: 'pending', awaitingFeedback: false });
    expect(tested.connector.prompts[0]?.text).toMatch(/expected one of edit, .*"perhaps"/i);
    await tested.person.resolveOption(id, 'edit', ADA);
    expect(await result).toMatchObject({ clearContext: false });
  });

  test('a text that arrives while a plan is pending is feedback too', async () => {
    const result = review();
    await tested.asked();
    expect(await tested.person.resolveText(CHAT, 'use Postgres instead', ADA)).toBe(true);
    expect(await result).toEqual({ behavior: 'deny', message: 'use Postgres instead' });
  });

  test('an edited plan goes back to the agent, accepted or with feedback', async () => {
    const accepted = review();
    const editedPlan = '# Better plan';
    await tested.person.resolveOption((await tested.asked()).id, { decision: 'edit', editedPlan }, ADA);
    expect(await accepted).toMatchObject({ permission: { updatedInput: { ...INPUT, plan: editedPlan } } });
    const adjusted = review();
    const answer = { decision: 'adjust', feedback: 'like this', editedPlan };
    await tested.person.resolveOption((await tested.asked(2)).id, answer, ADA);
    expect(await adjusted).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/^like this\n[^]*# Better plan/),
    });
  });

  test.for([
    ['what the engine resolved', '# From the file', '# From the file'],
    ['that of the tool input where the engine has none', undefined, '# Plan'],
  ] as const)('the person sees %s', async ([, content, shown]) => {
    const result = review(content);
    expect(await tested.asked()).toMatchObject({ request: { plan: shown, toolInput: INPUT } });
    await tested.person.cancelPending(CHAT);
    expect(await result).toEqual({ behavior: 'deny', message: 'Plan review cancelled' });
  });

  test('the person is asked for feedback once, and by every plan that needs it', async () => {
    const results = [review(), review()];
    const ids = [(await tested.asked()).id, (await tested.asked(2)).id];
    for (const id of [...ids, ...ids]) await tested.person.resolveOption(id, 'adjust', ADA);
    for (const id of ids) {
      await tested.person.resolveOption(id, { decision: 'adjust', feedback: id }, ADA);
    }
    expect(
      (await Promise.all(results)).map((result) => ('message' in result ? result.message : 'allowed')).toSorted(),
    ).toEqual(ids.toSorted());
    expect(tested.connector.prompts.length).toBeLessThanOrEqual(2);
    expect(tested.errors).toEqual([]);
  });

  test('a review that nobody waits for any more ends with its world, and fails nothing', async () => {
    void review();
    expect(await tested.asked()).toMatchObject({ status: 'pending' });
  });

  test('input that is no object is denied', async () => {
    expect(await tested.coordinator.handlePlanReview(CHAT, 'plan' as never)).toMatchObject({ behavior: 'deny' });
  });
}
