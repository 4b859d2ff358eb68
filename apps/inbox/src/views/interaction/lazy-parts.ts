/** The answer form, with the fields of every kind. */
export function loadAnswerForm() {
  return import('../../kinds/answer-form.tsx');
}

/** A settled request and its answer. */
export function loadSettledAnswer() {
  return import('../../kinds/settled-answer.tsx');
}

/** The log of one request. */
export function loadLogPanel() {
  return import('../log/log-panel.tsx');
}
