/**
 * Tools written in this repository. A toolkit's code is loaded when it is first listed or called.
 * All dangerous capabilities are restricted here, once: a tool gets an `http` that is already narrowed, a store
 * that is limited to the workspace, and nothing else.
 */
import { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonSchema, JsonValue } from '../../domain/json.js';
import type { Provider, ProviderAnswer } from '../../domain/provider.js';
import type {
  AuthoredSchema,
  Idempotency,
  Tool,
  ToolDefinition,
  ToolId,
  Toolkit,
  ToolkitDefinition,
} from '../../domain/tool.js';
import { ToolContent } from '../../domain/tool.js';
import { acceptsNoObject, satisfies, schemaIssues, withDefaults } from '../../schema/index.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import {
  createToolContext,
  filledConfig,
  type LoadedTool,
  type NativeServices,
  requirePlatform,
} from './tool-context.js';

const defaultTimeoutMs = 60_000;

/** The operator's settings, by toolkit slug. */
export type ToolkitSettings = Readonly<Record<string, JsonObject>>;

/** Returns the provider of the native toolkits. Throws `invalid_config` for settings that do not fit a toolkit. */
export function createNativeProvider(
  definitions: readonly ToolkitDefinition[],
  services: NativeServices,
  settings: ToolkitSettings = {},
): Provider {
  const loaded = new Map<string, Promise<ReadonlyMap<string, LoadedTool>>>();

  function load(slug: string): Promise<ReadonlyMap<string, LoadedTool>> {
    const known = loaded.get(slug);
    if (known) return known;
    const promise = loadToolkit(
      definitions.find((definition) => definition.slug === slug),
      Object.hasOwn(settings, slug) ? settings[slug] : undefined,
    );
    loaded.set(slug, promise);
    promise.catch(() => loaded.delete(slug));
    return promise;
  }

  return {
    kind: 'native',
    async toolkits() {
      return definitions.map((definition) =>
        describeToolkit(definition, Object.hasOwn(settings, definition.slug) ? settings[definition.slug] : undefined),
      );
    },
    async tools(toolkit) {
      return [...(await load(toolkit)).values()].map(({ tool }) => tool);
    },
    async execute(call) {
      const found = getLoaded(await load(call.tool.id.toolkit), call.tool.id);
      return readAnswer(await found.definition.execute(call.input, createToolContext(found, call, services)));
    },
    async probe(call, startedAt) {
      const found = getLoaded(await load(call.tool.id.toolkit), call.tool.id);
      const answer = await found.definition.probe?.(call.input, createToolContext(found, call, services), startedAt);
      return answer === undefined ? undefined : readAnswer(answer);
    },
    async checkCall(call) {
      const { tool, input, config } = call;
      const { toolkit, name } = tool.id;
      const found = (await load(toolkit)).get(name);
      const { workers } = services;
      const facts = {
        config: filledConfig(tool, config) as never,
        settings: found?.settings as never,
        workers,
        get platform() {
          return requirePlatform(call);
        },
      };
      await found?.definition.check?.(structuredClone(input), facts);
    },
    async checkConfig(tool, given) {
      const { toolkit, name } = tool.id;
      const found = (await load(toolkit)).get(name);
      if (!found) return;
      const { files, commands } = found.definition;
      const config = filledConfig(tool, given) as never;
      await services.checkReach({
        ...(files && { files: files(config) }),
        ...(commands && { commands: commands(config) }),
      });
    },
    async close() {},
  };
}

function getLoaded(tools: ReadonlyMap<string, LoadedTool>, { toolkit, name }: ToolId): LoadedTool {
  const found = tools.get(name);
  if (!found) throw new HelveError('tool_not_found', `The native provider has no tool ${toolkit}.${name}`);
  return found;
}

function describeToolkit(definition: ToolkitDefinition, settings: JsonObject = {}): Toolkit {
  const { slug, title, description, category, internal = false, auth, service } = definition;
  const facts = { slug, title, description, category, internal, provider: 'native' } as const;
  return auth === undefined
    ? { ...facts, needsConnection: false }
    : {
        ...facts,
        needsConnection: true,
        auth,
        settings,
        ...defined({ service }),
      };
}

async function loadToolkit(
  definition: ToolkitDefinition | undefined,
  settings: JsonObject = {},
): Promise<ReadonlyMap<string, LoadedTool>> {
  if (!definition) return new Map();
  const { slug } = definition;
  const tools = await definition.load();
  checkToolDefinitions(tools, slug);
  return new Map(
    tools.map((tool) => [
      tool.name,
      {
        definition: tool,
        tool: describeTool(definition, tool),
        settings: checkedSettings(slug, tool, settings),
        ...defined({ service: definition.service }),
      },
    ]),
  );
}

/** Invalid settings stop the whole toolkit at the start of Helve, where the operator sees the error. */
function checkedSettings(slug: string, { settingsSchema }: ToolDefinition, given: JsonObject): JsonValue {
  if (settingsSchema === undefined) return {};
  const schema = jsonSchema(settingsSchema, 'input');
  const settings = withDefaults(schema, structuredClone(given));
  const [issue] = schemaIssues(schema, settings);
  if (!issue) return settings;
  throw new HelveError('invalid_config', `toolkits.${slug}: ${issue.path} ${issue.message}`, {
    details: { toolkit: slug, path: issue.path, message: issue.message },
  });
}

/**
 * Refuses tools that could never be called, since they may come from a program without types: incomplete ones, those with a schema that
 * cannot be used or met, and two with one name. Throws `invalid_config` with the tool's name and what is wrong with it.
 */
export function checkToolDefinitions(tools: readonly ToolDefinition[], toolkit: string): void {
  const places = new Map<string, number>();
  for (const [place, tool] of tools.entries()) {
    const wrong = (what: string, hint: string): HelveError =>
      new HelveError('invalid_config', `tool ${JSON.stringify(tool?.name ?? null)} of ${toolkit}: ${what}`, { hint });
    for (const [part, isGood, what, hint] of parts)
      if (!isGood(tool?.[part])) throw wrong(`${part} is missing or not ${what}`, hint);
    const { name, inputSchema, outputSchema, configSchema } = tool;
    const schemas = { inputSchema, outputSchema, configSchema };
    for (const [part, schema] of Object.entries(schemas)) {
      const fault = schema && findFault(schema, part === 'outputSchema' ? 'output' : 'input');
      if (fault !== undefined) throw wrong(`${part} cannot be used: ${fault}`, 'Correct the schema.');
    }
    if (acceptsNoObject(jsonSchema(inputSchema, 'input')))
      throw wrong(
        'no arguments satisfy its inputSchema',
        'Arguments are an object: give a schema that objects satisfy.',
      );
    const other = places.get(name);
    if (other !== undefined)
      throw wrong(`the tools ${other + 1} and ${place + 1} of the list have this name`, 'Rename one of them.');
    places.set(name, place);
  }
}

/** Why a schema cannot be used; undefined if it can. What Zod writes needs no check. */
function findFault(schema: AuthoredSchema, io: 'input' | 'output'): string | undefined {
  try {
    const written = jsonSchema(schema, io);
    if (written === schema) satisfies(written, {});
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isAbsent = (value: unknown): boolean => value === undefined;

/** What each tool has, in the order in which it is checked. */
const parts: readonly [keyof ToolDefinition, (value: unknown) => boolean, what: string, hint: string][] = [
  ['name', (value) => isText(value) && value !== '', 'a text', 'Give each tool a name.'],
  ['title', isText, 'a text', 'Give it a title, for people.'],
  ['description', isText, 'a text', 'Say what it does, for models and for searches.'],
  [
    'inputSchema',
    (value) => value instanceof z.ZodType || isPlainObject(value),
    'a schema',
    "Give it a Zod schema or a JSON Schema; one that takes nothing is { type: 'object', properties: {} }.",
  ],
  ['execute', (value) => typeof value === 'function', 'a function', 'Give it the function that does the work.'],
  ['annotations', isPlainObject, 'an object', 'State the four hints of MCP, such as whether the tool only reads.'],
  [
    'capabilities',
    (value) => Array.isArray(value) && value.every(isText),
    'a list of texts',
    "Say what it can do, such as ['send message'], or give an empty list.",
  ],
  [
    'risk',
    (value) => isAbsent(value) || ['read', 'write', 'destructive'].includes(value as string),
    'a tier',
    'Use read, write or destructive, or omit it.',
  ],
  [
    'timeoutMs',
    (value) => isAbsent(value) || (typeof value === 'number' && value > 0),
    'a number of milliseconds',
    'Give a number above 0, or omit it.',
  ],
];

function describeTool({ slug: toolkit, service }: ToolkitDefinition, definition: ToolDefinition): Tool {
  const { annotations, outputSchema, configSchema } = definition;
  return {
    id: { toolkit, name: definition.name },
    title: definition.title,
    description: definition.description,
    inputSchema: jsonSchema(definition.inputSchema, 'input'),
    ...defined({ searchWords: definition.searchWords, inputAliases: definition.inputAliases }),
    ...(outputSchema === undefined ? {} : { outputSchema: jsonSchema(outputSchema, 'output') }),
    ...(configSchema === undefined ? {} : { configSchema: jsonSchema(configSchema, 'input') }),
    annotations,
    scopes: definition.scopes ?? [],
    risk: definition.risk ?? (annotations.readOnlyHint ? 'read' : 'write'),
    highRisk: definition.highRisk ?? false,
    capabilities: definition.capabilities,
    examples: definition.examples ?? [],
    ...defined({
      approver: definition.approver,
      group: definition.group,
      idempotency: describeIdempotency(definition),
    }),
    provider: 'native',
    hasEffects: !annotations.readOnlyHint,
    local: service === undefined && staysHere(definition),
    intrinsic: definition.intrinsic ?? false,
    timeoutMs: definition.timeoutMs ?? defaultTimeoutMs,
  };
}

function describeIdempotency({ annotations, idempotency }: ToolDefinition): Idempotency | undefined {
  if (annotations.readOnlyHint || idempotency) return idempotency;
  return annotations.idempotentHint ? { by: 'repeatable', how: 'The same call again changes nothing more' } : undefined;
}

function staysHere({ egress, endpoints, accountEndpoints, models = false, annotations }: ToolDefinition): boolean {
  const declared = [egress, endpoints, accountEndpoints].some((reach) => reach !== undefined);
  return !declared && !models && !annotations.openWorldHint;
}

/** Each schema of a tool is converted once in a process, however many installations open in it. */
const converted = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

function jsonSchema(schema: AuthoredSchema, io: 'input' | 'output'): JsonSchema {
  if (!(schema instanceof z.ZodType)) return schema;
  const known = converted[io].get(schema);
  if (known) return known;
  // Without the name of the dialect, which is the default one: models read it again and again.
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io });
  converted[io].set(schema, written as JsonSchema);
  return written as JsonSchema;
}

function readAnswer(answer: unknown): ProviderAnswer {
  if (!(answer instanceof ToolContent)) return readOutput(answer);
  return { ...readOutput(answer.output), content: answer.blocks };
}

/** A private copy of the answer: references that the tool retains cannot change it afterwards. */
function readOutput(value: unknown): ProviderAnswer {
  if (typeof value === 'string') return { output: value };
  const text = JSON.stringify(value) ?? 'null';
  const output = JSON.parse(text) as JsonValue;
  // The JSON of a date is a string, whose text is bare.
  return typeof output === 'string' ? { output } : { output, text };
}
