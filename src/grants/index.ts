/** Who may use what: pure decisions, and the check of a replacement of an agent's grants. */

export { checkGrants, findDoubtfulLimits, type GrantableTools } from './check.js';
export {
  type AccessAnswer,
  type AccessQuestion,
  type AccessStep,
  decideAccess,
  getGrants,
  isVisible,
  judgeAccess,
  knowsAccount,
  lookUpConnection,
  type Satisfies,
  seesAccount,
  visibleConnections,
} from './decide.js';
