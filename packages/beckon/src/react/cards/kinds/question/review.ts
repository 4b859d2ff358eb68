/** The place of the review among the tabs; no request has this id. */
export const REVIEW = '';
