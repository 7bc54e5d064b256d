/** The context of a tool call: every capability limited to the call and to what the tool declared. */

import type { BoundConnection } from '../../domain/connection.js';
import type { CallerFacts, HttpClient, KeyValueStore, ResultReader, ToolContext } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { Platform } from '../../domain/platform.js';
import type { ProviderCall } from '../../domain/provider.js';
import type {
  Browser,
  CommandLimits,
  CommandRunner,
  Connector,
  DocumentStore,
  Endpoint,
  FileAccess,
  FileLimits,
  Models,
} from '../../domain/reach.js';
import type { ProgramRunner } from '../../domain/sandbox.js';
import type { ServiceDefinition } from '../../domain/service.js';
import type { EgressLimits, Tool, ToolDefinition } from '../../domain/tool.js';
import type { Workers } from '../../domain/workers.js';
import { schemaIssues, withDefaults } from '../../schema/index.js';

/** The services that native tools use; `helve.ts` binds the real ones. */
export interface NativeServices {
  readonly http: (limits: EgressLimits, signal: AbortSignal) => HttpClient;
  readonly keyValues: (caller: CallerFacts) => KeyValueStore;
  readonly results: (caller: CallerFacts) => ResultReader;
  readonly files: (caller: CallerFacts, limits: FileLimits) => FileAccess;
  readonly commands: (caller: CallerFacts, limits: CommandLimits, signal: AbortSignal) => CommandRunner;
  /** Throws `invalid_config` for limits that include something no agent may reach. */
  readonly checkReach: (limits: { readonly files?: FileLimits; readonly commands?: CommandLimits }) => Promise<void>;
  /** `named`: hosts of the operator, in any network; `own`: hosts of an account, only at public addresses. */
  readonly connector: (named: readonly Endpoint[], own: readonly Endpoint[], signal: AbortSignal) => Connector;
  readonly browser: (limits: EgressLimits, signal: AbortSignal) => Browser;
  readonly documents: (caller: CallerFacts, toolkit: string) => DocumentStore;
  readonly models: (signal: AbortSignal) => Models;
  readonly workers: Workers;
  readonly programs: (caller: CallerFacts, signal: AbortSignal) => ProgramRunner;
}

export interface LoadedTool {
  readonly tool: Tool;
  readonly definition: ToolDefinition;
  /** Checked against the tool's schema, with defaults filled in. */
  readonly settings: JsonValue;
  /** The account of its toolkit, if that needs one. */
  readonly service?: ServiceDefinition;
}

/** Returns the context of one call. Its members are created when the tool first uses them. */
export function createToolContext(
  loaded: LoadedTool,
  call: ProviderCall,
  services: NativeServices,
): ToolContext<never, never> {
  return new BoundContext(loaded, call, services);
}

/** A class with getters, because most tools use few members, each costs time to create, and every call has a context. */
class BoundContext implements ToolContext<never, never> {
  readonly executionId: string;
  readonly caller: CallerFacts;
  // Checked against the tool's own schemas; their types are the tool's concern.
  readonly config: never;
  readonly settings: never;
  readonly #definition: ToolDefinition;
  readonly #service: ServiceDefinition | undefined;
  readonly #call: ProviderCall;
  readonly #services: NativeServices;

  constructor({ tool, definition, settings, service }: LoadedTool, call: ProviderCall, services: NativeServices) {
    this.executionId = call.executionId;
    this.caller = call.caller;
    this.config = checkedConfig(tool, call) as never;
    this.settings = settings as never;
    this.#definition = definition;
    this.#service = service;
    this.#call = call;
    this.#services = services;
  }

  get #limits(): EgressLimits {
    const { egress } = this.#definition;
    return egress ? egress(this.config, this.settings) : undeclared('egress', 'egress_blocked');
  }

  get effectKey() {
    return this.#call.effectKey;
  }
  get signal() {
    return this.#call.signal;
  }
  get client() {
    return this.#call.client;
  }
  get progress() {
    return this.#call.progress;
  }
  get http() {
    return this.#services.http(this.#limits, this.signal);
  }
  get keyValues() {
    return this.#services.keyValues(this.caller);
  }
  get results() {
    return this.#services.results(this.caller);
  }
  get files() {
    const { files } = this.#definition;
    return files ? this.#services.files(this.caller, files(this.config)) : undeclared('files', 'forbidden');
  }
  get commands() {
    const { commands } = this.#definition;
    if (!commands) return undeclared('commands', 'forbidden');
    return this.#services.commands(this.caller, commands(this.config), this.signal);
  }
  get connector() {
    const { endpoints, accountEndpoints } = this.#definition;
    if (!endpoints && !accountEndpoints) undeclared('endpoints', 'egress_blocked');
    const named = endpoints?.(this.settings, this.config) ?? [];
    const own = accountEndpoints?.(this.#account.facts.settings) ?? [];
    return this.#services.connector(named, own, this.signal);
  }
  get browser() {
    return this.#services.browser(this.#limits, this.signal);
  }
  get documents() {
    return this.#services.documents(this.caller, this.#call.tool.id.toolkit);
  }
  get #account(): BoundConnection {
    const { connection } = this.#call;
    if (connection) return connection;
    throw new HelveError('connection_inaccessible', 'This tool does not use an account');
  }
  get connection() {
    const { facts } = this.#account;
    return { ...facts, fields: () => this.#account.fields() };
  }
  get service() {
    const service = this.#service ?? undeclared('service', 'egress_blocked');
    return this.#account.service(service, this.settings as JsonObject);
  }
  get finder() {
    const { finder } = this.#call;
    if (finder) return finder;
    throw new HelveError('internal', 'Tool search is not available here');
  }
  get codeMode() {
    const { codeMode } = this.#call;
    if (codeMode) return codeMode;
    throw new HelveError('internal', 'Programs cannot be run here');
  }
  get platform() {
    return requirePlatform(this.#call);
  }
  get workers() {
    return this.#services.workers;
  }
  get programs() {
    return this.#services.programs(this.caller, this.signal);
  }
  get models() {
    return this.#definition.models ? this.#services.models(this.signal) : undeclared('models', 'egress_blocked');
  }
}

/** Throws `internal` where the call did not come through a plane. */
export function requirePlatform({ platform }: Pick<ProviderCall, 'platform'>): Platform {
  if (platform) return platform;
  throw new HelveError('internal', 'Helve itself cannot be reached here');
}

/** Keyed by the grant's own object, which is read again when anything about the grant changes. */
const checkedConfigs = new WeakMap<JsonObject, WeakMap<Tool, JsonValue>>();

/** A configuration that no longer fits the tool fails the call, because unclear limits must not apply. */
function checkedConfig(tool: Tool, call: ProviderCall): JsonValue {
  const ofTools = checkedConfigs.get(call.config) ?? new WeakMap<Tool, JsonValue>();
  const known = ofTools.get(tool);
  if (known !== undefined) return known;
  const config = filledConfig(tool, call.config);
  const [issue] = tool.configSchema ? schemaIssues(tool.configSchema, config) : [];
  if (issue) {
    const problem = `The tool_config of ${tool.id.name} is not valid: ${issue.path} ${issue.message}`;
    throw new HelveError('invalid_config', problem, { hint: 'Ask the operator to correct it.' });
  }
  checkedConfigs.set(call.config, ofTools.set(tool, config));
  return config;
}

/** A copy with the defaults of the tool's schema. */
export function filledConfig(tool: Tool, given: JsonObject): JsonObject {
  const config = structuredClone(given);
  return tool.configSchema ? withDefaults(tool.configSchema, config) : config;
}

/** A tool that uses something undeclared is an error of its author: it fails before it reaches anything. */
function undeclared(what: string, code: 'egress_blocked' | 'forbidden'): never {
  throw new HelveError(code, `This tool uses \`${what}\` without declaring it`);
}
