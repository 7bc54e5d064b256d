/** Composio, to test against. */
export {
  composioData,
  composioDocumentFile,
  missingData,
  stretchedData,
  wholeTool,
  wholeToolkit,
  wholeTrigger,
} from './data.js';
export { startComposioDescription, usedOperations } from './description.js';
export { type Composio, startComposio } from './server.js';
export type {
  AccountRow,
  AccountStatus,
  AuthConfigRow,
  Behaviour,
  ComposioData,
  ComposioOptions,
  Execution,
  Fault,
  SeenRequest,
  ToolItem,
  ToolkitItem,
  TriggerItem,
} from './shapes.js';
export { eventBody, signedHeaders, type WebhookToSend } from './triggers.js';
