/** A person's yes or no to one exact call. */
export { type Approvals, createApprovals } from './approvals.js';
export { type ElicitationQuestion, type ElicitationSettings, mayElicit } from './elicitation.js';
