/** The form to answer, which brings the fields of every kind. */
export function loadAnswerForm() {
  return import('../../kinds/answer-form.tsx');
}

/** What was asked and answered. */
export function loadSettledAnswer() {
  return import('../../kinds/settled-answer.tsx');
}

/** The log of one interaction. */
export function loadLogPanel() {
  return import('../log/log-panel.tsx');
}
