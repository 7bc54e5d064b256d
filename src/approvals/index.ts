/** A person's decision on one exact call. */
export { type Approvals, createApprovals, noSuchApproval } from './approvals.js';
export { type ElicitationQuestion, type ElicitationSettings, mayElicit } from './elicitation.js';
