/** Calling tools: the pipeline, its parts, and recovery after a crash. */
export { type CatalogueTool, createCatalogue, joinCatalogues, slugWithout } from './catalogue.js';
export { decideCall, judgeCall, shownApproval } from './decision.js';
export { explainUnnamed } from './explain.js';
export { createInstance, type Instance } from './instance.js';
export { createLiveExecutions, type LiveExecution, type LiveExecutions } from './live.js';
export { findUnvouchedSignIn, hashMeaning } from './meaning.js';
export { ambiguousName, meantTools, recordName } from './meant-tool.js';
export type {
  CallConnection,
  CallQuestion,
  CallVerdict,
  Catalogue,
  CatalogueTarget,
  FindCatalogue,
  NamedTool,
  PipelineParts,
  StartedCall,
} from './parts.js';
export { createPipeline, type Pipeline } from './pipeline.js';
export { countRuns, createStopping, type OnStop, type Stopping } from './running.js';
export { settleInterrupted } from './settle.js';
export { approvalRequired } from './stages/approve.js';
export { readInput } from './stages/validate.js';
export { createStopWatch } from './stop-watch.js';
export { targetsWithinReach, withinReach } from './within-reach.js';
