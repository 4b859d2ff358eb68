import { describe } from 'vitest';
import { testCoordinatorApprovals } from './coordinator-approvals.testsuite.ts';
import { testCoordinatorDocument } from './coordinator-document.testsuite.ts';
import { testCoordinatorPlans } from './coordinator-plans.testsuite.ts';
import { testCoordinatorQuestions } from './coordinator-questions.testsuite.ts';
import { testCoordinatorTexts } from './coordinator-texts.testsuite.ts';
import { testCoordinatorTime } from './coordinator-time.testsuite.ts';
import { TEST_TIMEOUT_MS } from './until.ts';
import type { CreateCoordinatorWorld } from './use-coordinator.ts';

/** The contract of `InteractionCoordinator`, on whatever Beckon. */
export function testCoordinator(name: string, create: CreateCoordinatorWorld): void {
  describe.concurrent(`the coordinator ${name}`, { timeout: TEST_TIMEOUT_MS }, () => {
    describe('the sentences of the document', () => {
      testCoordinatorDocument(create);
    });
    describe('questions', () => {
      testCoordinatorQuestions(create);
    });
    describe('plan reviews', () => {
      testCoordinatorPlans(create);
    });
    describe('approvals', () => {
      testCoordinatorApprovals(create);
    });
    describe('texts', () => {
      testCoordinatorTexts(create);
    });
    describe('time, reach and restarts', () => {
      testCoordinatorTime(create);
    });
  });
}
