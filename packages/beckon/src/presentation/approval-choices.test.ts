import { expect, test } from 'vitest';
import { APPROVAL_CHOICES, describeApprovalDecision } from './approval-choices.ts';

test('"Deny" comes first, and each decision has its own words', () => {
  expect(APPROVAL_CHOICES.map(({ label }) => label)).toEqual(['Deny', 'Allow']);
  expect(APPROVAL_CHOICES.map(({ decision }) => describeApprovalDecision(decision))).toEqual(['Denied', 'Allowed']);
});
