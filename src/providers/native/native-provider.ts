/**
 * Tools written in this repository. A toolkit's code is loaded when it is first listed or called.
 * Everything dangerous is bound here, once: a tool sees an `http` that is already narrowed, a store
 * that is already the workspace's, and nothing else.
 */
import { z } from 'zod';
import type { CallerFacts, HttpClient, KeyValueStore, ResultReader, ToolContext } from '../../spec/context.js';
import { HelveError } from '../../spec/errors.js';
import type { JsonObject, JsonSchema, JsonValue } from '../../spec/json.js';
import type { Provider, ProviderCall } from '../../spec/provider.js';
import type {
  AuthoredSchema,
  EgressLimits,
  Tool,
  ToolDefinition,
  Toolkit,
  ToolkitDefinition,
} from '../../spec/tool.js';
import { ToolContent } from '../../spec/tool.js';
import { fillDefaults, schemaIssues } from '../../util/json-schema.js';

/** What the native tools work with; `helve.ts` binds the real ones. */
export interface NativeServices {
  readonly http: (limits: EgressLimits, signal: AbortSignal) => HttpClient;
  readonly keyValues: (caller: CallerFacts) => KeyValueStore;
  readonly results: (caller: CallerFacts) => ResultReader;
}

interface LoadedTool {
  readonly tool: Tool;
  readonly definition: ToolDefinition;
}

const defaultTimeoutMs = 60_000;

export function createNativeProvider(definitions: readonly ToolkitDefinition[], services: NativeServices): Provider {
  const loaded = new Map<string, Promise<ReadonlyMap<string, LoadedTool>>>();

  function load(slug: string): Promise<ReadonlyMap<string, LoadedTool>> {
    const known = loaded.get(slug);
    if (known) return known;
    const promise = loadToolkit(definitions.find((definition) => definition.slug === slug));
    loaded.set(slug, promise);
    promise.catch(() => loaded.delete(slug));
    return promise;
  }

  return {
    kind: 'native',
    async toolkits() {
      return definitions.map(describeToolkit);
    },
    async tools(toolkit) {
      return [...(await load(toolkit)).values()].map(({ tool }) => tool);
    },
    async execute(call) {
      const { toolkit, name } = call.tool.id;
      const found = (await load(toolkit)).get(name);
      if (!found) throw new HelveError('tool_not_found', `The native provider has no tool ${toolkit}.${name}`);
      const answer = await found.definition.execute(call.input, context(found, call, services));
      if (!(answer instanceof ToolContent)) return { output: asJson(answer) };
      return { output: asJson(answer.output), content: answer.blocks };
    },
    async close() {},
  };
}

function describeToolkit(definition: ToolkitDefinition): Toolkit {
  const { slug, title, description, category, internal = false } = definition;
  return { slug, title, description, category, internal, provider: 'native', needsConnection: false };
}

async function loadToolkit(definition: ToolkitDefinition | undefined): Promise<ReadonlyMap<string, LoadedTool>> {
  if (!definition) return new Map();
  const tools = await definition.load();
  return new Map(tools.map((tool) => [tool.name, { definition: tool, tool: describeTool(definition.slug, tool) }]));
}

function describeTool(toolkit: string, definition: ToolDefinition): Tool {
  const { annotations, outputSchema, configSchema } = definition;
  return {
    id: { toolkit, name: definition.name },
    title: definition.title,
    description: definition.description,
    inputSchema: jsonSchema(definition.inputSchema, 'input'),
    ...(outputSchema === undefined ? {} : { outputSchema: jsonSchema(outputSchema, 'output') }),
    ...(configSchema === undefined ? {} : { configSchema: jsonSchema(configSchema, 'input') }),
    annotations,
    scopes: definition.scopes ?? [],
    risk: definition.risk ?? (annotations.readOnlyHint ? 'read' : 'write'),
    highRisk: definition.highRisk ?? false,
    capabilities: definition.capabilities,
    examples: definition.examples ?? [],
    provider: 'native',
    hasEffects: !annotations.readOnlyHint,
    intrinsic: definition.intrinsic ?? false,
    timeoutMs: definition.timeoutMs ?? defaultTimeoutMs,
  };
}

function jsonSchema(schema: AuthoredSchema, io: 'input' | 'output'): JsonSchema {
  return schema instanceof z.ZodType ? (z.toJSONSchema(schema, { io }) as JsonSchema) : schema;
}

/** Getters, because most tools look at few of these and each costs something to make. */
function context({ tool, definition }: LoadedTool, call: ProviderCall, services: NativeServices): ToolContext<never> {
  const config = checkedConfig(tool, call) as never;
  return {
    executionId: call.executionId,
    caller: call.caller,
    config,
    get signal() {
      return call.signal;
    },
    get http() {
      return definition.egress ? services.http(definition.egress(config), call.signal) : noHttp;
    },
    get keyValues() {
      return services.keyValues(call.caller);
    },
    get results() {
      return services.results(call.caller);
    },
    client: call.client,
    progress: call.progress,
  };
}

/** By the very object that the grant holds, which is read anew when anything about the grant changes. */
const checkedConfigs = new WeakMap<JsonObject, WeakMap<Tool, JsonValue>>();

/** A configuration that no longer fits the tool fails the call: it must not run under limits nobody understands. */
function checkedConfig(tool: Tool, call: ProviderCall): JsonValue {
  const ofTools = checkedConfigs.get(call.config) ?? new WeakMap<Tool, JsonValue>();
  const known = ofTools.get(tool);
  if (known !== undefined) return known;
  const config = structuredClone(call.config);
  if (tool.configSchema) fillDefaults(tool.configSchema, config);
  const [issue] = tool.configSchema ? schemaIssues(tool.configSchema, config) : [];
  if (issue) {
    const problem = `The tool_config of ${tool.id.name} is not valid: ${issue.path} ${issue.message}`;
    throw new HelveError('invalid_config', problem, { hint: 'Ask the operator to correct it.' });
  }
  checkedConfigs.set(call.config, ofTools.set(tool, config));
  return config;
}

/** A private copy, as it will be sent: what a tool keeps a hold of cannot change its answer afterwards. */
function asJson(value: unknown): JsonValue {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value) ?? 'null') as JsonValue);
}

const noHttp: HttpClient = {
  fetch: () =>
    Promise.reject(new HelveError('egress_blocked', 'This tool does not declare that it reaches the network')),
};
