/**
 * The only wiring: every part is made here and handed to those that need it. Nothing else in the
 * repository knows which store, which providers or which walls a plane has.
 */
import { createJournal, seal } from './audit/index.js';
import { createReader } from './catalogue/index.js';
import { type ConfigFile, environmentVariables } from './config/index.js';
import { createLiveExecutions } from './execution/index.js';
import { anyAccount, createAccounts, createBinder, wireAccounts } from './plane/accounts/index.js';
import { createAdministration } from './plane/administration.js';
import { workspaceApprovals } from './plane/approval-views.js';
import { createAuthorization } from './plane/authorization/index.js';
import { createCallPipeline } from './plane/call-pipeline.js';
import { createCalls } from './plane/calls.js';
import { createCatalogues } from './plane/catalogues.js';
import { createConfigurationCache } from './plane/configurations.js';
import { applyDeclaredAgents } from './plane/declared-agents.js';
import { createDiscovery } from './plane/discovery/index.js';
import { createDoor } from './plane/door.js';
import { ensureFirstAgent, ensureWorkspace, repeatOnConflict } from './plane/first-run.js';
import { createInstance, type Instance } from './plane/instance.js';
import { keptFiles } from './plane/kept-files.js';
import { decideKept } from './plane/kept-results.js';
import { createLateGrants } from './plane/late-grants.js';
import { createMarketplaceActs, type MarketplaceParts, wireMarketplace } from './plane/marketplace/index.js';
import { createModels, type GivenModels } from './plane/models.js';
import { createNativeServices } from './plane/native-services.js';
import { outsideProviders } from './plane/outside-providers.js';
import type { PlaneParts } from './plane/parts.js';
import { configFileOf, link, loadConfig, locationOf } from './plane/places.js';
import { createPrincipalResolver, type PrincipalLike } from './plane/principal-like.js';
import { createExecutionRecords, createRecord } from './plane/record.js';
import { countRuns, createStopping, type OnStop } from './plane/running.js';
import { systemPrincipal } from './plane/system-principal.js';
import { checkToolkitSettings } from './plane/toolkit-settings.js';
import { releaseUndeclaredAgents } from './plane/undeclared-agents.js';
import { createRateLimits, type RateLimitOptions } from './policies/index.js';
import { createAuthenticator, createDirectory } from './principals/index.js';
import { checkToolDefinition, createNativeProvider } from './providers/native/index.js';
import { createRegistry, type Registry } from './registry/index.js';
import type { CallRequest, ListedTool, ToolResult } from './spec/execution.js';
import type { Plane } from './spec/plane.js';
import type { Provider } from './spec/provider.js';
import type { Storage } from './spec/storage.js';
import type { ToolDefinition, ToolkitDefinition } from './spec/tool.js';
import { openStorage } from './storage/index.js';
import { nativeToolkits } from './toolkits/index.js';
import { logError } from './util/error-log.js';
import type { EgressPolicy } from './walls/egress/index.js';

export interface HelveOptions {
  /** Folder of the embedded store and of `helve.yaml`. Without it and without `database`, everything is in memory. */
  readonly dataDir?: string;
  /** `postgres://…`, or a file path; default: `helve.db` in `dataDir`. */
  readonly database?: string;
  /** PostgreSQL only: connections that this process holds at most, 2 or more. Default 10. */
  readonly databasePoolSize?: number;
  /** Path of `helve.yaml`; default: in `dataDir`. */
  readonly configFile?: string;
  /** The text of `helve.yaml`, in place of a file. */
  readonly config?: string;
  /** Tools of your own, in the toolkit `custom`. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolkits?: readonly ToolkitDefinition[];
  readonly providers?: readonly Provider[];
  /** Default: the bundled ones. */
  readonly nativeToolkits?: readonly ToolkitDefinition[];
  readonly limits?: RateLimitOptions;
  readonly egress?: EgressPolicy;
  /** Where people reach this server: the base of links to approvals. A function, since the port may not be known yet. */
  readonly publicUrl?: string | (() => string | undefined);
  readonly resultMaxChars?: number;
  readonly resultLifetimeMs?: number;
  readonly approvalLifetimeMs?: number;
  /** How often this process shows that it lives and settles what dead ones left open. Default 10 s. */
  readonly heartbeatMs?: number;
  /** Models for the tools that need one: any of the AI SDK. Default: those of `helve.yaml`. */
  readonly models?: GivenModels;
  /** The vault's keys, `id:base64,…` with the current one first. Default: a file in `dataDir`. */
  readonly vaultKeys?: string;
  readonly now?: () => Date;
  /** Told of errors that callers are not. Default: standard error, where one that comes again and again is counted. */
  readonly reportError?: (error: unknown) => void;
}

/** A call as trusted code in this process makes it. */
export interface ExecuteOptions extends Omit<CallRequest, 'principal'> {
  /** A principal, a token, or `{ agent }` / `{ user }` with an optional `workspace` (default `default`). */
  readonly principal: PrincipalLike;
}

export interface Helve {
  execute(call: ExecuteOptions): Promise<ToolResult>;
  /** As the principal is to be shown them; `all`: whatever it may call, the meta-tools too. */
  tools(who: { principal: PrincipalLike; all?: boolean }): Promise<ListedTool[]>;
  /** Everything a door can ask; each act checks the principal's permissions. */
  readonly plane: Plane;
  readonly registry: Registry;
  /** Makes the workspace unless it is there. */
  ensureWorkspace(slug: string): Promise<{ workspaceId: string; created: boolean }>;
  /** Workspace, admin, first agent and the declared agents: what `helve serve` does at its start. */
  setUp(slug?: string): Promise<SetUp>;
  /** The secret of a link that signs the workspace's admin in, once, within a quarter of an hour. */
  adminLink(workspaceId: string): Promise<string>;
  close(): Promise<void>;
}

export interface SetUp {
  readonly workspaceId: string;
  readonly created: boolean;
  readonly firstAgent: string;
  /** Only at the very first start: tokens are shown once. */
  readonly firstToken: string | undefined;
  /** Calls that a dead process had left open. */
  readonly interrupted: number;
  /** Agents that `helve.yaml` no longer declares: their grants and tokens have ended with this start. */
  readonly released: readonly string[];
}

const firstAgent = 'first';

/** Opens the store, settles what a crash left, and is ready for calls. Throws `invalid_config` or `storage_failed`. */
export async function createHelve(options: HelveOptions = {}): Promise<Helve> {
  const now = options.now ?? (() => new Date());
  const config = await loadConfig(options);
  const { databasePoolSize: poolSize } = options;
  const storage = await openStorage({
    location: locationOf(options),
    seal,
    now,
    ...(poolSize === undefined ? {} : { poolSize }),
  });
  const stopping = createStopping();
  const reportError = options.reportError ?? logError;
  const instance = createInstance({ storage, report: reportError, heartbeatMs: options.heartbeatMs });
  const assembled = assemble(options, config, storage, instance, stopping.onStop, now);
  const { parts, close: closeParts } = assembled;
  for (const provider of await outsideProviders(config, {
    ...{ services: assembled.services, configFile: configFileOf(options) },
    accountFor: (toolkit, workspaceId) => anyAccount(parts.accounts, toolkit, workspaceId),
    reportError,
  }))
    parts.registry.register(provider);
  const marketplace = await wireMarketplace({
    config,
    parts,
    instance,
    reportError,
    egress: assembled.services.egress,
    http: assembled.services.http,
    places: options,
  });
  await checkToolkitSettings(config, parts.registry);
  const plane = createPlane(marketplace.parts);
  const interrupted = await instance.start((entry) => parts.journal.append(entry));
  await marketplace.start();
  const principalOf = createPrincipalResolver(parts, plane);

  return {
    plane,
    registry: parts.registry,
    execute: async (call) => plane.execute({ ...call, principal: await principalOf(call.principal) }),
    tools: async ({ principal, all = false }) => plane.tools(await principalOf(principal), { all }),
    async ensureWorkspace(slug) {
      const { workspace, created } = await ensureWorkspace(parts, slug);
      return { workspaceId: workspace.id, created };
    },
    async setUp(slug = 'default') {
      const { workspace, created } = await ensureWorkspace(parts, slug);
      const late = createLateGrants(parts, workspace.id, reportError);
      stopping.onStop(late.stop);
      await repeatOnConflict(() => applyDeclaredAgents(parts, workspace.id, config.agents, late));
      const declared = new Set(config.agents.map(({ name }) => name));
      const released = await releaseUndeclaredAgents(parts, workspace.id, declared);
      const { agent, token } = await repeatOnConflict(() =>
        ensureFirstAgent(parts, plane, workspace.id, { slug: firstAgent, late }),
      );
      return { workspaceId: workspace.id, created, firstAgent: agent, firstToken: token, interrupted, released };
    },
    adminLink: async (workspaceId) => (await plane.issueAdminLink(systemPrincipal(workspaceId))).secret,
    async close() {
      stopping.stop();
      await parts.pipelineIdle();
      await marketplace.close();
      await closeParts();
      await instance.stop();
      await storage.close();
    },
  };
}

function createPlane(parts: MarketplaceParts): Plane {
  return {
    ...{ ...createCalls(parts), ...createAdministration(parts), ...createRecord(parts), ...createDoor(parts) },
    ...createAccounts(parts.accounts),
    ...createAuthorization(parts),
    ...createMarketplaceActs(parts),
    ...parts.discovery.acts,
  };
}

function assemble(
  options: HelveOptions,
  config: ConfigFile,
  storage: Storage,
  instance: Instance,
  onStop: OnStop,
  now: () => Date,
) {
  const authenticator = createAuthenticator(storage, now, config.sessions);
  const configurations = createConfigurationCache(storage, authenticator.forget);
  const egress: EgressPolicy = {
    allowedAddresses: config.egress.allowedAddresses,
    blockedDomains: config.egress.blockedDomains,
    ...options.egress,
  };
  const services = createNativeServices({
    ...{ storage, now, egress, dataDir: options.dataDir },
    decideKept: (caller, stored) => decideKept({ configurations, catalogue: catalogues.find }, caller, stored),
    keptFiles: keptFiles(options, config, toolkitsOf(options)),
    models: createModels(config.models, options.models, egress),
    path: environmentVariables().PATH ?? '',
  });
  const native = createNativeProvider(toolkitsOf(options), services, config.toolkits);
  const registry = createRegistry([native, ...(options.providers ?? [])]);
  const journal = createJournal(async (entries) => {
    if (entries.some(({ openIntent }) => openIntent !== undefined)) await instance.ensureSeen();
    return storage.commit(entries);
  });
  const limits = createRateLimits({ ...config.limits, ...options.limits });
  const { elicitation, mostPending } = config.approvals;
  const lifetimeMs = options.approvalLifetimeMs ?? config.approvals.lifetimeMs;
  const accounts = wireAccounts({
    ...{ storage, now, registry, configurations, config, instance, egress: services.egress },
    publicUrl: (path) => link(options, path),
    keys: options,
  });
  const approvals = workspaceApprovals({ storage, now, lifetimeMs, mostPending, configurations, accounts, registry });
  const reportError = options.reportError ?? logError;
  const catalogues = createCatalogues({ registry, configurations, storage, now, reportError });
  const catalogue = catalogues.find;

  const findFrom = { reader: createReader(storage.catalogue), directTools: config.discovery.directTools };
  const discovery = createDiscovery({ ...findFrom, storage, now, registry, configurations, catalogue, reportError });
  const core = { storage, now, configurations, catalogue, approvals, elicitation, limits, journal, discovery };
  const { pipeline, idle } = countRuns(createCallPipeline(options, core, instance, onStop, createBinder(accounts)));
  const parts: PlaneParts = {
    ...{ ...core, ...findFrom, registry, pipeline, pipelineIdle: idle, ownCatalogue: catalogues.own },
    live: createLiveExecutions(),
    ...{ authenticator, sessions: config.sessions },
    directory: (workspaceId) => createDirectory(storage.workspace(workspaceId), now),
    records: createExecutionRecords({ storage, catalogue, registry }),
    machineChecks: services.checks,
    canWrite: instance.canWrite,
    accounts,
  };
  const close = async (): Promise<void> => {
    configurations.close();
    await discovery.close();
    await journal.close();
    await Promise.all([registry.close(), services.close()]);
  };
  return { parts, services, close };
}

function toolkitsOf({
  tools,
  toolkits,
  nativeToolkits: bundled = nativeToolkits,
}: HelveOptions): readonly ToolkitDefinition[] {
  for (const tool of tools ?? []) checkToolDefinition(tool, 'createHelve({ tools })');
  const custom: ToolkitDefinition[] = tools
    ? [
        {
          slug: 'custom',
          title: 'Custom',
          description: 'Tools of this installation.',
          category: 'custom',
          load: async () => tools,
        },
      ]
    : [];
  return [...bundled, ...(toolkits ?? []), ...custom];
}
