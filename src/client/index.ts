/** The typed client of the REST door, and the shapes that it and the door share. Knows nothing of the server's insides. */
export type { Api } from './api.js';
export { type ClientOptions, createClient, type HelveClient } from './client.js';
export {
  approval,
  auditEvent,
  chainReport,
  credential,
  health,
  issuedCredential,
  machineCheck,
  policySet,
} from './records.js';
export {
  accessQuery,
  agentBody,
  agentParams,
  approvalsQuery,
  asAgentQuery,
  auditQuery,
  decisionBody,
  executeBody,
  executionParams,
  executionsQuery,
  exportQuery,
  grantsBody,
  idParams,
  keyBody,
  policiesBody,
  tokenBody,
  toolkitActionsBody,
  toolkitParams,
} from './requests.js';
export {
  agent,
  catalogueEntry,
  decision,
  executionEvent,
  executionRecord,
  grant,
  jsonObject,
  listedTool,
  namedShapes,
  problem,
  tool,
  toolkit,
  toolkitSetting,
  toolResult,
} from './shapes.js';
