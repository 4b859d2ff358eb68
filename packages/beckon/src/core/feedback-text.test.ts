import { expect, test } from 'vitest';
import { toFeedbackText } from './feedback-text.ts';

test('each comment stands below its line and its passage, after the feedback', () => {
  const text = toFeedbackText({
    feedback: 'Almost.',
    comments: [
      { quote: 'Ship it\r\non Friday', line: 4, comment: 'Not on a Friday.' },
      { quote: ' ', line: 9, comment: 'Add tests.\nUnit tests are enough.' },
    ],
  });
  expect(text).toBe(
    [
      'Almost.',
      '',
      'Comments on the plan:',
      '',
      'Line 4:',
      '> Ship it',
      '> on Friday',
      'Not on a Friday.',
      '',
      'Line 9:',
      'Add tests.',
      'Unit tests are enough.',
    ].join('\n'),
  );
});

test('feedback alone stays as it was written, and nothing said is nothing', () => {
  expect(toFeedbackText({ feedback: 'Smaller steps\n' })).toBe('Smaller steps\n');
  expect(toFeedbackText({ comments: [] })).toBe('');
  expect(toFeedbackText({ comments: [{ quote: 'a', line: 1, comment: 'b' }] })).toBe(
    'Comments on the plan:\n\nLine 1:\n> a\nb',
  );
});
