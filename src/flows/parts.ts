/** The parts that the plane is assembled from, so that each of its groups can be read separately. */
import type { Approvals, ElicitationSettings } from '../approvals/index.js';
import type { CallCondition, CallerCounts, CallIndex, Journal, RecordFeed } from '../audit/index.js';
import type { KeptCatalogue } from '../catalogue/index.js';
import type { ActorHost } from '../domain/actor-host.js';
import type { AgentModel } from '../domain/agent-model.js';
import type { WorkspaceConfiguration } from '../domain/grant.js';
import type { IdentityProvider } from '../domain/identity.js';
import type { Plane } from '../domain/plane.js';
import type { Principal, SessionLimits } from '../domain/principal.js';
import type { MachineCheck } from '../domain/reach.js';
import type { Setting } from '../domain/settings.js';
import type { Storage } from '../domain/storage.js';
import type { Workers } from '../domain/workers.js';
import type { RateLimits } from '../policies/index.js';
import type { Authenticator, Directory } from '../principals/index.js';
import type { Registry } from '../registry/index.js';
import type { FindCatalogue, LiveExecutions, Pipeline, PipelineParts } from './calling/index.js';
import type { Code } from './code/index.js';
import type { AccountParts } from './connecting/index.js';
import type { Discovery } from './finding/index.js';
import type { Runs } from './runs/index.js';
import type { Catalogues, ConfigurationCache } from './workspaces/index.js';

/** What streams ask the store again and again. */
export interface StreamReads {
  configuration(workspaceId: string): Promise<WorkspaceConfiguration>;
  /** As `findRights` of the authenticator. */
  rights(principal: Principal): Promise<string | undefined>;
}

export interface PlaneParts {
  readonly storage: Storage;
  readonly reader: KeptCatalogue;
  readonly discovery: Discovery;
  /** An agent with more tools than this sees the meta-tools, unless its tool mode is set. */
  readonly directTools: number;
  readonly now: () => Date;
  readonly registry: Registry;
  readonly configurations: ConfigurationCache;
  readonly catalogue: FindCatalogue;
  /** Without toolkits from documents and servers, so that none of them has to be read. */
  readonly ownCatalogue: Catalogues['own'];
  readonly findSetup: PipelineParts['findSetup'];
  readonly pipeline: Pipeline;
  /** Resolves when no call is in progress. */
  readonly pipelineIdle: () => Promise<void>;
  readonly live: LiveExecutions;
  readonly code: Code;
  readonly runs: Runs;
  readonly actors: ActorHost;
  /** The model that agents work with; undefined if none is configured. */
  readonly agentModel: AgentModel | undefined;
  readonly journal: Journal;
  readonly feed: RecordFeed;
  readonly streamReads: StreamReads;
  readonly callIndex: CallIndex;
  /** Counts the calls of a workspace under a condition by who made them. The result is the caller's own. */
  readonly readCallers: (workspaceId: string, condition: CallCondition) => Promise<CallerCounts>;
  readonly limits: RateLimits;
  readonly authenticator: Authenticator;
  readonly sessions: SessionLimits;
  /** Where people may sign in besides the one-time link. */
  readonly identityProviders: readonly IdentityProvider[];
  readonly directory: (workspaceId: string) => Directory;
  readonly approvals: (workspaceId: string) => Approvals;
  /** The address of the page on which a person decides an approval; undefined if the installation has no public address. */
  readonly approvalUrl: (id: string) => string | undefined;
  readonly elicitation: ElicitationSettings;
  readonly records: Pick<Plane, 'execution'>;
  readonly accounts: AccountParts;
  /** Whether the store accepts writes. */
  readonly canWrite: () => Promise<boolean>;
  /** Whether this process is about to stop. */
  readonly isStopping: () => boolean;
  /** Processes for work on texts that nobody vouches for. */
  readonly workers: Workers;
  /** The folder of the embedded store; undefined in memory. */
  readonly dataDir: string | undefined;
  /** How long rows of the record stay in the store; undefined: as long as it exists. */
  readonly keepDays: number | undefined;
  /** Every setting with its effective value and where that is from. */
  readonly settings: () => Promise<readonly Setting[]>;
  readonly machineChecks: () => Promise<readonly MachineCheck[]>;
}
