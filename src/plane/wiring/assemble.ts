/**
 * Creates every part and passes it to those that need it. Nothing else in the repository knows which store, which
 * providers or which walls a plane has.
 */

import { join } from 'node:path';
import {
  createCallerCounts,
  createCallIndex,
  createCallSums,
  createJournal,
  createRecordFeed,
} from '../../audit/index.js';
import { createReader } from '../../catalogue/index.js';
import { type ConfigFile, environmentVariables } from '../../config/index.js';
import { checkPermissions } from '../../domain/acts.js';
import type { Log } from '../../domain/log.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { Storage } from '../../domain/storage.js';
import type { CallEnd } from '../../domain/telemetry.js';
import { createAuthorization } from '../../flows/authorizing/index.js';
import {
  countRuns,
  createLiveExecutions,
  createStopWatch,
  type Instance,
  type Stopping,
} from '../../flows/calling/index.js';
import { type CompileProgram, createCode, createTypeLearner } from '../../flows/code/index.js';
import { createAccounts, createBinder } from '../../flows/connecting/index.js';
import { createDiscovery } from '../../flows/finding/index.js';
import type { MarketplaceParts } from '../../flows/marketplace/index.js';
import { createNotificationActs, type NotifyingParts } from '../../flows/notifying/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { createCodeMode, createRuns } from '../../flows/runs/index.js';
import { createIdentityActs } from '../../flows/signing-in/index.js';
import {
  chargeOrg,
  createPlaces,
  createTaskSourceActs,
  isWanted,
  readPresentConfig,
  resumeIssue,
} from '../../flows/tasks/index.js';
import { createCatalogues, createConfigurationCache } from '../../flows/workspaces/index.js';
import { createRateLimits } from '../../policies/index.js';
import { createAuthenticator, createDirectory } from '../../principals/index.js';
import { createNativeProvider } from '../../providers/native/index.js';
import { createRegistry } from '../../registry/index.js';
import {
  type Counts,
  createCounts,
  createPrometheus,
  logCall,
  type OpenTracing,
  type Prometheus,
} from '../../telemetry/index.js';
import { defined } from '../../util/defined.js';
import { logError } from '../../util/error-log.js';
import { toRunnable } from '../../util/program/index.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import type { EgressPolicy } from '../../walls/egress/index.js';
import { createClaudeAgentDriver } from '../../workers/claude-agent/index.js';
import { createOpenAiAgentsDriver } from '../../workers/openai-agents/index.js';
import { createActorActs } from '../acts/actors.js';
import { createAdministration } from '../acts/administration.js';
import { workspaceApprovals } from '../acts/approval-views.js';
import { createCalls, executeLive, listTools } from '../acts/calls.js';
import { createCancelCall } from '../acts/cancel-call.js';
import { readUsage } from '../acts/connection-usage.js';
import { createDoctor } from '../acts/doctor.js';
import { createDoor } from '../acts/door.js';
import { createEventActs } from '../acts/events.js';
import { createExecutionList } from '../acts/executions.js';
import { createExplainActs } from '../acts/explain.js';
import { doubtfulLimitsOfAgents } from '../acts/grants/index.js';
import { createIssues } from '../acts/issues.js';
import { createCallLists } from '../acts/list-calls.js';
import { createMarketplace } from '../acts/marketplace.js';
import { createMetrics } from '../acts/metrics.js';
import { createPeople } from '../acts/people.js';
import { createPlatform, type PlatformParts } from '../acts/platform.js';
import { createReadiness } from '../acts/readiness.js';
import { createRecipeActs } from '../acts/recipes.js';
import { createExecutionRecords, createRecord } from '../acts/record.js';
import { createStreamReads } from '../acts/rights-check.js';
import { createRunActs } from '../acts/runs.js';
import { createToolkitActs } from '../acts/toolkit-tools.js';
import { createWorkspaceActs } from '../acts/workspaces.js';
import type { HelveOptions } from '../options.js';
import { wireAccounts } from './accounts.js';
import { wireActors } from './actors.js';
import { createAskModel } from './agent-model.js';
import { createCallPipeline } from './call-pipeline.js';
import { createDocumentFetch } from './document-fetch.js';
import { getToolkits } from './get-toolkits.js';
import { keptFiles } from './kept-files.js';
import { decideKept } from './kept-results.js';
import { createAgentModel, createModels, createToolEmbeddings } from './models.js';
import { createNativeServices } from './native-services.js';
import { connectUrl, link } from './places.js';
import { createLazySandbox } from './sandbox.js';
import { createPlaneChecker } from './shared-processes.js';
import { createToolSetup } from './tool-setup.js';
import { createWorkFolders } from './work-folders.js';

export interface PlaneWiring {
  readonly prometheus: Prometheus;
  readonly notifying: NotifyingParts;
}

export function createPlane(parts: MarketplaceParts, { prometheus, notifying }: PlaneWiring): Plane {
  const accounts = createAccounts(parts.accounts);
  const inspected = { ...createAdministration(parts), ...createRecord(parts), ...createDoor(parts) };
  return checkPermissions({
    ...createPeople(parts, accounts),
    ...createWorkspaceActs(parts),
    ...createExplainActs(parts),
    ...createActorActs(parts),
    ...createEventActs(parts),
    ...createCallLists(parts),
    ...createExecutionList(parts),
    connectionUsage: (principal, connection) => readUsage(parts, principal, connection),
    ...createCancelCall(parts),
    ...createCalls(parts),
    ...createToolkitActs(parts),
    ...inspected,
    ...createDoctor(parts, {
      ...inspected,
      doubtfulLimits: (principal) => doubtfulLimitsOfAgents(parts, principal),
    }),
    ...createReadiness(parts),
    ...createMetrics(parts, prometheus),
    ...createIdentityActs(parts),
    ...createIssues(parts),
    ...createPlaces(parts),
    ...createTaskSourceActs(parts),
    ...createRecipeActs(parts),
    ...createNotificationActs(notifying),
    ...accounts,
    ...createAuthorization(parts, createDocumentFetch()),
    ...createMarketplace(parts),
    ...parts.discovery.acts,
    toolDeclarations: parts.code.toolDeclarations,
    checkCode: parts.code.checkCode,
    ...createRunActs(parts),
  });
}

/** What an installation has before its parts are made. */
interface Foundation {
  readonly options: HelveOptions;
  readonly config: ConfigFile;
  readonly storage: Storage;
  readonly instance: Instance;
  readonly stopping: Stopping;
  readonly tracing: OpenTracing | undefined;
  readonly log: Log | undefined;
  readonly now: () => Date;
}

/** Makes the parts of a plane; nothing runs yet. `close` ends what they hold, except the storage and the instance. */
export function assemble({ options, config, storage, instance, stopping, tracing, log, now }: Foundation) {
  const counts = createCounts();
  const toolkits = getToolkits(options);
  const authenticator = createAuthenticator(storage, now, config.sessions);
  const configurations = createConfigurationCache(storage, authenticator.forget);
  const egress: EgressPolicy = {
    allowedAddresses: config.egress.allowedAddresses,
    blockedDomains: config.egress.blockedDomains,
    ...options.egress,
  };
  const workers = createWorkers({ dataDir: options.dataDir, shared: options.processes?.workers });
  const sandbox = createLazySandbox({ isolation: config.code.isolation }, options.processes?.openSandbox);
  const keepMs = config.tasks.keepFoldersHours * 3_600_000;
  const workFolders = createWorkFolders({ dataDir: options.dataDir, keepMs, now });
  const services = createNativeServices({
    storage,
    now,
    egress,
    workers,
    sandbox,
    dataDir: options.dataDir,
    workFolders,
    decideKept: (caller, stored) => decideKept({ configurations, catalogue: catalogues.find }, caller, stored),
    keptFiles: keptFiles(options, config, toolkits),
    models: createModels(config.models, options.models, egress),
    path: environmentVariables().PATH ?? '',
  });
  const native = createNativeProvider(toolkits, services, config.toolkits);
  const registry = createRegistry([native, ...(options.providers ?? [])]);
  const journal = createJournal(async (entries) => {
    if (entries.some(({ openIntent }) => openIntent !== undefined)) await instance.ensureSeen();
    return storage.commit(entries);
  });
  const limits = createRateLimits({ ...config.limits, ...options.limits }, storage.counts);
  const { elicitation, maxPending } = config.approvals;
  const lifetimeMs = options.approvalLifetimeMs ?? config.approvals.lifetimeMs;
  const accounts = wireAccounts({
    storage,
    now,
    registry,
    configurations,
    config,
    instance,
    workers,
    egress: services.egress,
    publicUrl: (path) => link(options, path),
    keys: options,
    onRenewal: counts.credentialsRenewed,
  });
  const approvals = workspaceApprovals({ storage, now, lifetimeMs, maxPending, configurations, accounts, registry });
  const reportError = options.reportError ?? logError;
  const catalogues = createCatalogues({ registry, configurations, storage, now, reportError });
  const catalogue = catalogues.find;

  const findFrom = { reader: createReader(storage.catalogue), directTools: config.discovery.directTools };
  const keptIn = options.dataDir === undefined ? undefined : join(options.dataDir, 'discovery');
  const found = { storage, now, registry, configurations, catalogue, reportError };
  const embeddings = createToolEmbeddings(config.discovery.embeddings, egress);
  const discovery = createDiscovery({ ...findFrom, ...found, keptIn, embeddings });
  const checker = createPlaneChecker(options.processes, options.dataDir);
  const approvalUrl = (id: string) => link(options, `/approvals/${id}`);
  const decided = { approvals, approvalUrl, elicitation };
  const findSetup = createToolSetup({ config, registry });
  const core = { findSetup, storage, now, configurations, catalogue, ...decided, limits, journal, discovery };
  const bindConnection = createBinder(accounts);
  const learner = config.code.learnTypes ? createTypeLearner({ storage, now, reportError }) : undefined;
  const { pipeline, idle, running } = countRuns(
    createCallPipeline({
      options,
      core,
      instance,
      onStop: stopping.onStop,
      bindConnection,
      noteAnswer: learner?.note,
      onEnded: log === undefined ? counts.callEnded : countAndLog(counts, log),
      trace: tracing?.trace,
      // A program's calls go through this pipeline, and a call may run a program.
      codeModeFor: (request) => createCodeMode({ acts: programActs, configurations }, request),
      platformFor: (principal) => createPlatform(platformParts, principal),
    }),
  );
  const feed = createRecordFeed({ storage });
  const live = createLiveExecutions();
  const stopWatch = createStopWatch({ system: storage.system, instanceId: instance.id, live });
  const compile: CompileProgram = (program, signal) =>
    toRunnable(workers, { code: program, language: 'typescript', ...defined({ signal }) });
  const code = createCode({ discovery, checker, compile, ...defined({ learner }) });
  const actors = wireActors({ storage, instance, reportError, tasks: config.tasks, dataDir: options.dataDir });
  const agentModel = createAgentModel(config.models, options.models, egress);
  const listShown = (principal: Principal) =>
    listTools({ configurations, catalogue, registry, ...findFrom }, principal);
  const runs = createRuns({
    storage,
    instance,
    journal,
    configurations,
    sandbox,
    compile,
    pipeline,
    now,
    reportError,
    prepare: code.prepare,
    findOutput: code.findOutput,
    async execute(request) {
      const result = await executeLive({ pipeline, live, now }, request);
      await actors.noteCall(request, result);
      return result;
    },
    onMoved: (run) => void resumeIssue({ storage, actors: actors.host }, run).catch(reportError),
    isWanted: (principal) => isWanted({ storage, actors: actors.host }, principal),
    readToolConfig: (principal) => readPresentConfig({ storage, actors: actors.host }, principal),
    askModel: chargeOrg({ actors: actors.host }, createAskModel({ model: agentModel, listTools: listShown })),
    toolNames: async (principal) => (await listShown(principal)).map(({ name }) => name),
    drivers: {
      'openai-agents': createOpenAiAgentsDriver(),
      'claude-agent': createClaudeAgentDriver(),
      ...options.drivers,
    },
    limits: config.code.limits,
    ...defined({ sweepMs: options.heartbeatMs }),
    runUrl: (id) => link(options, `/runs/${id}`),
  });
  const { runCode, getRun, followRun } = runs;
  const programActs = checkPermissions({
    runCode,
    getRun,
    followRun,
    toolDeclarations: code.toolDeclarations,
  });
  const callIndex = createCallIndex(storage);
  const parts: PlaneParts = {
    ...core,
    ...findFrom,
    code,
    runs,
    actors: actors.host,
    agentModel,
    live,
    feed,
    streamReads: createStreamReads({ authenticator, configurations }),
    callIndex,
    readCallers: createCallSums(callIndex, createCallerCounts),
    registry,
    pipeline,
    pipelineIdle: idle,
    ownCatalogue: catalogues.own,
    authenticator,
    sessions: config.sessions,
    identityProviders: config.identityProviders,
    directory: (workspaceId) => createDirectory(storage.workspace(workspaceId), now),
    records: createExecutionRecords({ storage, configurations }),
    machineChecks: services.checks,
    workers,
    keepDays: config.retention?.keepDays,
    dataDir: options.dataDir,
    settings: async () => [...(options.processSettings ?? []), ...(await config.settings())],
    canWrite: instance.canWrite,
    isStopping: stopping.isAnnounced,
    accounts,
  };
  const platformParts: PlatformParts = {
    storage,
    now,
    acts: checkPermissions({ ...createAdministration(parts), ...createAccounts(accounts) }),
    connectUrl: connectUrl(options),
  };
  const close = async (): Promise<void> => {
    configurations.close();
    await feed.close();
    stopWatch.close();
    await discovery.close();
    await Promise.all([checker.close(), sandbox.close()]);
    await learner?.close();
    await journal.close();
    // Providers tell their servers that sessions are over, through the egresses of the services.
    await registry.close().finally(services.close).finally(workers.close);
  };
  const prometheus = createPrometheus({
    counts,
    runningCalls: running,
    waitingForRecord: journal.waiting,
    storePool: () => storage.pool(),
    discovery: () => discovery.totals(),
  });
  return { parts, services, actors, workFolders, counts, prometheus, close };
}

const countAndLog =
  (counts: Counts, log: Log) =>
  (call: CallEnd): void => {
    counts.callEnded(call);
    logCall(log, call);
  };
