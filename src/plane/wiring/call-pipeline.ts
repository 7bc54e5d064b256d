/** The pipeline of this plane. */
import { mayElicit } from '../../approvals/index.js';
import { finishedEvent, refusedEvent, startedEvent } from '../../audit/index.js';
import {
  createPipeline,
  decideCall,
  type Instance,
  judgeCall,
  type OnStop,
  type Pipeline,
  type PipelineParts,
  type StartedCall,
} from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { knowsAccount } from '../../grants/index.js';
import { logError } from '../../util/error-log.js';

interface PipelineOptions {
  readonly resultMaxChars?: number;
  readonly resultLifetimeMs?: number;
  readonly reportError?: (error: unknown) => void;
}

const defaultResultMaxChars = 10_000;
const defaultResultLifetimeMs = 60 * 60_000;

type PipelineCore = Pick<
  PlaneParts,
  | 'storage'
  | 'now'
  | 'elicitation'
  | 'configurations'
  | 'catalogue'
  | 'findSetup'
  | 'approvals'
  | 'approvalUrl'
  | 'limits'
  | 'journal'
  | 'discovery'
>;

interface PipelineWiring {
  readonly options: PipelineOptions;
  readonly core: PipelineCore;
  readonly instance: Instance;
  readonly onStop: OnStop;
  readonly bindConnection: PipelineParts['bindConnection'];
  readonly noteAnswer: PipelineParts['noteAnswer'];
  readonly onEnded: PipelineParts['onEnded'];
  readonly trace: PipelineParts['trace'];
  readonly codeModeFor: PipelineParts['codeModeFor'];
  readonly platformFor: PipelineParts['platformFor'];
}

/** The pipeline's parts are the areas' functions, bound to the parts of this plane. */
export function createCallPipeline({ options, core, instance, onStop, ...bound }: PipelineWiring): Pipeline {
  return createPipeline({
    instanceId: instance.id,
    keepEntry: instance.keep,
    now: core.now,
    catalogue: core.catalogue,
    configurations: core.configurations,
    findSetup: core.findSetup,
    knowsAccount,
    decide: decideCall,
    judge: judgeCall,
    ...core.discovery.forPipeline,
    approvalFor: (request) => core.approvals(request.principal.workspaceId).resolve(request),
    foreseeApproval: (request) => core.approvals(request.principal.workspaceId).foresee(request),
    async findStart(workspaceId, executionId) {
      const { audit } = core.storage.workspace(workspaceId);
      const [start] = await audit.ofExecutions([executionId], ['execution.started']);
      return start?.body as StartedCall | undefined;
    },
    mayElicit: (question) => mayElicit(core.elicitation, question),
    approvalUrl: core.approvalUrl,
    admitPrincipal: core.limits.admitPrincipal,
    admitCall: core.limits.admitCall,
    foreseeLimits: core.limits.foresee,
    journal: core.journal,
    events: { started: startedEvent, finished: finishedEvent, refused: refusedEvent },
    ...bound,
    storeResult: (workspaceId, result) => core.storage.workspace(workspaceId).results.put(result),
    resultMaxChars: options.resultMaxChars ?? defaultResultMaxChars,
    resultLifetimeMs: options.resultLifetimeMs ?? defaultResultLifetimeMs,
    onStop,
    reportError: options.reportError ?? logError,
  });
}
