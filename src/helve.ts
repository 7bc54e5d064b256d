/** Opens an installation: its store, its plane of acts, and what its start and its end take care of. */
import { redactText } from './audit/index.js';
import type { CodeVerdict, DeclarationsQuery, ToolDeclarations } from './domain/code-acts.js';
import { HelveError } from './domain/errors.js';
import type { CallRequest, ListedTool, ToolResult } from './domain/execution.js';
import type { Log } from './domain/log.js';
import type { McpSessions } from './domain/mcp-session.js';
import type { Plane } from './domain/plane.js';
import type { Run, RunOptions, StartRun } from './domain/run.js';
import { firstWorkspace } from './domain/workspaces.js';
import { createInstance, createStopping, type Stopping } from './flows/calling/index.js';
import { anyAccount } from './flows/connecting/index.js';
import { createNotifier } from './flows/notifying/index.js';
import { systemPrincipal } from './flows/workspaces/index.js';
import { createMcpSessions } from './plane/acts/mcp-sessions.js';
import { createPrincipalResolver, type PrincipalLike } from './plane/acts/principal-like.js';
import type { HelveOptions } from './plane/options.js';
import { checkOptions } from './plane/start/check-options.js';
import { applyDeclaredAgents } from './plane/start/declared-agents.js';
import { ensureFirstAgent, ensureWorkspace, repeatOnConflict } from './plane/start/first-run.js';
import { createLateGrants } from './plane/start/late-grants.js';
import { checkToolkitSettings } from './plane/start/toolkit-settings.js';
import { releaseUndeclaredAgents } from './plane/start/undeclared-agents.js';
import { checkVaultKeys } from './plane/start/vault-keys.js';
import { assemble, createPlane } from './plane/wiring/assemble.js';
import { wireMarketplace } from './plane/wiring/marketplace.js';
import { wireNotifying } from './plane/wiring/notifying.js';
import { outsideProviders } from './plane/wiring/outside-providers.js';
import { getConfigFile, loadConfig } from './plane/wiring/places.js';
import { createRetention } from './plane/wiring/retention.js';
import { openStore } from './plane/wiring/store.js';
import { wireTasks } from './plane/wiring/tasks.js';
import { wireTracing } from './plane/wiring/tracing.js';
import type { Registry } from './registry/index.js';
import { openLog } from './telemetry/index.js';
import { defined } from './util/defined.js';
import { type End, endAll } from './util/end-all.js';
import { createErrorLog } from './util/error-log.js';
import { visibleText } from './util/visible-text.js';

export type { HelveOptions } from './plane/options.js';

/** A call as trusted code in this process makes it. */
export interface ExecuteOptions extends Omit<CallRequest, 'principal'> {
  /** A principal, a token, or `{ agent }` / `{ user }` with an optional `workspace` (default `default`). */
  readonly principal: PrincipalLike;
}

export interface Helve {
  execute(call: ExecuteOptions): Promise<ToolResult>;
  /** As the principal is to be shown them; `all`: whatever it may call, the meta-tools too. */
  tools(who: { principal: PrincipalLike; all?: boolean }): Promise<ListedTool[]>;
  /** TypeScript declarations of the principal's tools, for programs: see `CodeActs`. */
  toolDeclarations(query: DeclarationsQuery & { readonly principal: PrincipalLike }): Promise<ToolDeclarations>;
  /** Checks a TypeScript program against the principal's tools; runs nothing. */
  checkCode(program: { readonly principal: PrincipalLike; readonly code: string }): Promise<CodeVerdict>;
  /** Checks a TypeScript program and runs it, as far as it can go now: see `RunActs`. */
  runCode(program: StartRun & RunOptions & { readonly principal: PrincipalLike }): Promise<Run>;
  /** Everything a door can ask; each act checks the principal's permissions. */
  readonly plane: Plane;
  readonly registry: Registry;
  /** For the MCP doors: the sessions that all processes on the store serve. */
  readonly mcpSessions: McpSessions;
  /** For the doors; absent unless the options ask for it. */
  readonly log: Log | undefined;
  /** For the doors: where errors go that callers do not see. */
  readonly reportError: (error: unknown) => void;
  /** Makes the workspace unless it is there. */
  ensureWorkspace(slug: string): Promise<{ workspaceId: string; created: boolean }>;
  /** Workspace, admin, first agent and the declared agents: what `helve serve` does at its start. */
  setUp(slug?: string): Promise<SetUp>;
  /** The secret of a link that signs the workspace's admin in, once, within a quarter of an hour. */
  adminLink(workspaceId: string): Promise<string>;
  /** Looks now what there is to tell people, and sends what is due. Otherwise this happens every few seconds. */
  notify(): Promise<void>;
  /** Archives now what the policy says, if there is one. Otherwise this happens every hour. */
  archive(): Promise<void>;
  /** From now on `plane.ready` says that this process stops. Calls are still accepted and still run. */
  announceStop(): void;
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

/**
 * Opens the store, settles what a crash left, and is ready for calls. Throws `invalid_config` or `storage_failed`, and then
 * nothing stays open.
 */
export async function createHelve(given: HelveOptions = {}): Promise<Helve> {
  checkOptions(given);
  const stopping = createStopping();
  const ends: End[] = [];
  const close = (): Promise<void> => {
    stopping.stop();
    return endAll(ends);
  };
  try {
    return await openHelve(given, { stopping, ends, close });
  } catch (error) {
    // What prevented the opening says more than what may then prevent the end.
    await close().catch(() => undefined);
    throw error;
  }
}

/** For people on standard error. An error may quote what a caller or a service wrote: a secret, or what controls a terminal. */
const writeText = (text: string): void => console.error(visibleText(redactText(text), { keepLines: true }));

interface Closing {
  readonly stopping: Stopping;
  /** Everything that was opened adds here how it ends; the last ends first. */
  readonly ends: End[];
  readonly close: () => Promise<void>;
}

async function openHelve(given: HelveOptions, { stopping, ends, close }: Closing): Promise<Helve> {
  const log = given.log && (await openLog({ ...given.log, redact: redactText }));
  const reportError = given.reportError ?? log?.error ?? createErrorLog({ write: writeText });
  const options = { ...given, reportError };
  const now = options.now ?? (() => new Date());
  const config = await loadConfig(options);
  const tracing = await wireTracing(options, config);
  ends.push(() => tracing?.close());
  const storage = await openStore(options, now);
  ends.push(storage.close);
  const instance = createInstance({ storage, report: reportError, heartbeatMs: options.heartbeatMs });
  ends.push(instance.stop);
  const assembled = assemble({ options, config, storage, instance, stopping, tracing, log, now });
  const { parts, actors, workFolders, counts, prometheus } = assembled;
  ends.push(assembled.close);
  for (const provider of await outsideProviders(config, {
    services: assembled.services,
    configFile: getConfigFile(options),
    accountFor: (toolkit, workspaceId) => anyAccount(parts.accounts, toolkit, workspaceId),
    onAccountsChange: parts.accounts.configurations.onChange,
    reportError,
  }))
    parts.registry.register(provider);
  const marketplace = await wireMarketplace({
    config,
    parts,
    instance,
    reportError,
    counts,
    egress: assembled.services.egress,
    http: assembled.services.http,
    workers: assembled.services.workers,
    places: options,
  });
  ends.push(marketplace.close, parts.pipelineIdle, parts.runs.close, actors.close);
  await checkToolkitSettings(config, parts.registry);
  // Read now, so that a tool that could never be called stops the start, and not the list of an agent.
  for (const { slug } of options.toolkits ?? []) await parts.registry.toolsOf(slug, 'native');
  await checkVaultKeys(parts.accounts.vault, storage.system, reportError);
  const notifying = wireNotifying(parts, {
    places: options,
    http: assembled.services.http,
    slack: config.toolkits.slack,
  });
  const plane = createPlane(marketplace.parts, { prometheus, notifying });
  const interrupted = await instance.start((entry) => parts.journal.append(entry));
  await marketplace.start();
  await parts.runs.start();
  const tasks = wireTasks(parts, { places: options, workFolders, files: assembled.services.files, reportError });
  ends.push(tasks.close);
  await actors.start();
  await tasks.start();
  const notifier = createNotifier(notifying, { ...config.notifications, reportError });
  ends.push(notifier.close);
  notifier.start();
  const { vault } = parts.accounts;
  const retention = createRetention({ storage, vault, policy: config.retention, now, reportError });
  ends.push(retention.close);
  retention.start();
  const getPrincipal = createPrincipalResolver(parts, plane);
  // What a program without types calls with nothing: the resolver then says who is missing.
  const nobody = {} as never;

  return {
    plane,
    log,
    reportError,
    registry: parts.registry,
    mcpSessions: createMcpSessions(parts),
    async execute(call) {
      const principal = await getPrincipal(call?.principal);
      if (typeof call.tool !== 'string')
        throw new HelveError('invalid_input', 'tool: no tool is named', {
          hint: 'Name one, as helve.tools() lists it.',
        });
      return plane.execute({ ...call, principal });
    },
    tools: async ({ principal, all = false } = nobody) => plane.tools(await getPrincipal(principal), { all }),
    toolDeclarations: async ({ principal, ...query } = nobody) =>
      plane.toolDeclarations(await getPrincipal(principal), query),
    checkCode: async ({ principal, code } = nobody) => plane.checkCode(await getPrincipal(principal), code),
    runCode: async ({ principal, signal, onStart, onCall, ...program } = nobody) =>
      plane.runCode(await getPrincipal(principal), program, defined({ signal, onStart, onCall })),
    async ensureWorkspace(slug) {
      const { workspace, created } = await ensureWorkspace(parts, slug);
      return { workspaceId: workspace.id, created };
    },
    async setUp(slug = firstWorkspace) {
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
    notify: notifier.look,
    archive: retention.look,
    announceStop: stopping.announce,
    close,
  };
}
