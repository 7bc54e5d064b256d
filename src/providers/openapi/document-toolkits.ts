/**
 * Toolkits from OpenAPI documents, wherever the documents are listed. A document is loaded when its toolkit is first
 * listed or called. After that only little is stored of each operation, and its input schema is built when something
 * reads it.
 */
import type { BoundConnection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonSchema } from '../../domain/json.js';
import type { ProviderAnswer, ProviderCall, UnofferedTool } from '../../domain/provider.js';
import type { ServiceDefinition } from '../../domain/service.js';
import type { Idempotency, PinnedDefinition, Tool, Toolkit } from '../../domain/tool.js';
import type { Workers } from '../../domain/workers.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { inSlices, type Sliced } from '../../util/slices.js';
import { buildRequest } from './build-request.js';
import { type Convert, convertInWorker, loadDocument } from './load-document.js';
import type { OpenApiOperation } from './operation.js';
import { type OpenHttp, sendPlain } from './plain-client.js';
import { readAnswer } from './read-answer.js';
import { getInfo, type OpenApiToolkit, readSliced } from './read-openapi.js';

export interface OpenApiSource {
  readonly slug: string;
  readonly title?: string;
  readonly category?: string;
  /** Returns the document: parsed, or as text in JSON or YAML. Called once, when the toolkit is first listed or called. */
  readonly load: () => Promise<string | JsonObject>;
  /** Where the operator configured the document, `helve.yaml:3: openapi.shop.document`; errors begin with this. */
  readonly place?: string;
  /** The document's origin: the base of its relative servers. The document's own `info` can also state it. */
  readonly documentUrl?: string | ((info: Readonly<Record<string, unknown>>) => string | undefined);
  /** An address from the operator that replaces every server of the document: allowed in any network. */
  readonly baseUrl?: string;
  /** Values of server variables that are the same for all accounts. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Names of operations or tags; all others are left out. */
  readonly include?: readonly string[];
  /** Whether it is read from an address, whose owner may change it: each workspace agrees to where it sends requests. */
  readonly isRemote?: boolean;
  /** A change of this value makes the document load again. */
  readonly revision?: string;
}

/** The known facts about a toolkit before its document is read. */
export interface DocumentFacts
  extends Pick<OpenApiSource, 'slug' | 'title' | 'category' | 'baseUrl' | 'variables'>,
    Pick<Partial<Toolkit>, 'description' | 'needsConnection' | 'onDemand'> {}

export interface DocumentToolkits {
  /** The toolkit as known so far; after reading, in the document's own words. */
  toolkit(facts: DocumentFacts): Toolkit;
  tools(slug: string): Promise<readonly Tool[]>;
  /** Loads the toolkit: how it signs in, its OAuth servers, and the refused operations. Undefined for an unknown slug. */
  describe(slug: string): Promise<OpenApiToolkit | undefined>;
  /** The refused operations, or why the document could not be read. Loads nothing. */
  unoffered(slug: string): Promise<readonly UnofferedTool[]>;
  execute(call: ProviderCall): Promise<ProviderAnswer>;
}

export interface DocumentToolkitOptions {
  /** Must be cheap: called at every use. Undefined for an unknown slug. */
  readonly find: (slug: string) => Promise<OpenApiSource | undefined>;
  /** For operations without an account. */
  readonly http: OpenHttp;
  /** For converting YAML and documents of version 2. */
  readonly workers: Workers;
}

interface Loaded {
  readonly source: OpenApiSource;
  readonly toolkit: OpenApiToolkit;
  readonly operations: ReadonlyMap<string, OpenApiOperation>;
  readonly tools: readonly Tool[];
}

interface Loading {
  readonly revision: string | undefined;
  readonly loaded: Promise<Loaded>;
}

/** Returns the toolkits of the documents that `find` knows. Nothing is loaded until a toolkit is used. */
export function createDocumentToolkits({ find, http, workers }: DocumentToolkitOptions): DocumentToolkits {
  const loading = new Map<string, Loading>();
  const known = new Map<string, OpenApiToolkit>();
  const problems = new Map<string, string>();
  const convert = convertInWorker(workers);

  async function load(slug: string): Promise<Loaded | undefined> {
    const source = await find(slug);
    const before = loading.get(slug);
    if (!source) {
      loading.delete(slug);
      known.delete(slug);
      return undefined;
    }
    if (before && before.revision === source.revision) return before.loaded;
    const begun: Loading = { revision: source.revision, loaded: loadSource(source, convert) };
    loading.set(slug, begun);
    begun.loaded.then(
      ({ toolkit }) => {
        if (loading.get(slug) !== begun) return;
        known.set(slug, toolkit);
        problems.delete(slug);
      },
      (error: unknown) => {
        if (loading.get(slug) !== begun) return;
        loading.delete(slug);
        problems.set(slug, error instanceof HelveError ? error.message : 'it could not be read');
      },
    );
    return begun.loaded;
  }

  return {
    toolkit: (facts) => liveToolkit(facts, () => known.get(facts.slug)),
    async tools(slug) {
      return (await load(slug))?.tools ?? [];
    },
    async describe(slug) {
      return (await load(slug))?.toolkit;
    },
    async unoffered(slug) {
      const problem = problems.get(slug);
      if (problem !== undefined) return [{ name: '*', reason: problem }];
      return (known.get(slug)?.refused ?? []).map(({ operation, reason }) => ({ name: operation, reason }));
    },
    async execute(call) {
      const { toolkit: slug, name } = call.tool.id;
      const loaded = await load(slug);
      const operation = loaded?.operations.get(name);
      if (!loaded || !operation)
        throw new HelveError('tool_not_found', `The OpenAPI provider has no tool ${slug}.${name}`);
      const definition = withVariables(loaded.toolkit.service, loaded.source.variables);
      const settings = getSettings(loaded.source);
      const request = buildRequest(operation.plan, call.input, call.effectKey);
      const connection = connectionFor(operation, call, loaded.toolkit);
      const variables = { ...loaded.source.variables, ...connection?.facts.settings };
      loaded.toolkit.checkServer(operation, settings, variables);
      const response = connection
        ? await connection.service(definition, settings).request(request)
        : await sendPlain(definition, definition.servers(settings, {})[request.server ?? 'default'], request, {
            http,
            signal: call.signal,
          });
      return { output: readAnswer(operation, response, call.input) };
    },
  };
}

function getSettings({ baseUrl }: Pick<OpenApiSource, 'baseUrl'>): JsonObject {
  return baseUrl === undefined ? {} : { base_url: baseUrl };
}

/** Before the document is read, the safe assumption is that an account is needed. */
function liveToolkit(facts: DocumentFacts, known: () => OpenApiToolkit | undefined): Toolkit {
  const { slug, category = 'api', onDemand } = facts;
  const toolkit = {
    slug,
    category,
    provider: 'openapi' as const,
    internal: false,
    ...defined({ onDemand }),
    get title() {
      return facts.title ?? known()?.title ?? slug;
    },
    get description() {
      return (
        known()?.description ??
        facts.description ??
        `The operations of ${facts.title ?? slug}, by its OpenAPI document.`
      );
    },
    get needsConnection() {
      return known()?.needsConnection ?? facts.needsConnection ?? true;
    },
    get auth() {
      return known()?.auth;
    },
    get service() {
      const { service } = known() ?? {};
      return service && withVariables(service, facts.variables);
    },
    settings: getSettings(facts),
    get oauthProviders() {
      return known()?.oauthProviders;
    },
  };
  // A toolkit without accounts has `auth: undefined`, which readers cannot distinguish from its absence.
  return toolkit as Toolkit;
}

async function loadSource(source: OpenApiSource, convert: Convert): Promise<Loaded> {
  const { slug, documentUrl, baseUrl } = source;
  try {
    const view = await loadDocument(await source.load(), convert);
    const from = typeof documentUrl === 'function' ? documentUrl(getInfo(view)) : documentUrl;
    return await inSlices(readTools(source, readSliced(view, { slug, documentUrl: from, baseUrl })));
  } catch (cause) {
    if (!(cause instanceof HelveError)) throw cause;
    throw new HelveError(
      cause.code === 'invalid_input' ? 'invalid_config' : cause.code,
      `${source.place === undefined ? 'The' : `${source.place}: the`} OpenAPI document of ${slug} cannot be used: ${cause.message}`,
      {
        ...defined({ hint: cause.hint }),
        details: { toolkit: slug, reason: cause.message },
        cause,
      },
    );
  }
}

function* readTools(source: OpenApiSource, reading: Sliced<OpenApiToolkit>): Sliced<Loaded> {
  const { include } = source;
  const toolkit = yield* reading;
  const wanted = new Set(include ?? []);
  const definition = source.isRemote ? toDefinition(toolkit) : undefined;
  const operations = new Map<string, OpenApiOperation>();
  const tools: Tool[] = [];
  for (const operation of toolkit.operations) {
    yield;
    const { name, tags } = operation;
    if (include && !wanted.has(name) && !tags.some((tag) => wanted.has(tag))) continue;
    operations.set(name, operation);
    tools.push(toTool(toolkit, operation, definition));
  }
  return { source, toolkit, operations, tools };
}

const timeoutMs = 60_000;

/** No tool has this name. */
const definitionName = '@servers';

/** What all tools of the document share: undefined if the operator decides where everything goes. */
function toDefinition({ destinations }: OpenApiToolkit): PinnedDefinition | undefined {
  if (destinations.servers.length === 0 && destinations.signIn.length === 0) return undefined;
  const text = canonicalJson(destinations);
  return { name: definitionName, text, hash: sha256(text) };
}

function toTool(toolkit: OpenApiToolkit, operation: OpenApiOperation, definition: PinnedDefinition | undefined): Tool {
  const { name, title, description, annotations, risk, scopes, capabilities, tags, documentedAnswer } = operation;
  const [group] = tags;
  const getInput = keepWeakly(() => toolkit.inputSchema(operation));
  const getOutput = keepWeakly(() => JSON.parse(documentedAnswer ?? '{}') as JsonSchema);
  return {
    id: { toolkit: toolkit.slug, name },
    title,
    description,
    annotations,
    risk,
    scopes,
    capabilities,
    timeoutMs,
    get inputSchema() {
      return getInput();
    },
    get documentedOutput() {
      return documentedAnswer === undefined ? undefined : getOutput();
    },
    ...defined({ group, idempotency: getIdempotency(operation), definition }),
    highRisk: false,
    examples: [],
    provider: 'openapi',
    hasEffects: !annotations.readOnlyHint,
    intrinsic: false,
  };
}

/** Makes the schema again when nothing else holds it any more. */
function keepWeakly(make: () => JsonSchema): () => JsonSchema {
  let kept: WeakRef<JsonSchema> | undefined;
  return () => {
    const before = kept?.deref();
    if (before) return before;
    const schema = make();
    kept = new WeakRef(schema);
    return schema;
  };
}

const byMethod: Readonly<Record<string, Idempotency>> = {
  PUT: { by: 'repeatable', how: 'HTTP defines that a PUT that is repeated changes nothing more' },
  DELETE: { by: 'repeatable', how: 'HTTP defines that a DELETE that is repeated changes nothing more' },
};

const byKey: Idempotency = {
  by: 'key',
  how: 'The request carries an Idempotency-Key, which its document declares',
  // How long a service remembers a key is not in its document: an hour is what any of them should.
  seconds: 3_600,
};

const askPerson: Idempotency = { by: 'ask', how: 'The document declares nothing by which the request is recognised' };

function getIdempotency({ annotations, plan }: OpenApiOperation): Idempotency | undefined {
  if (annotations.readOnlyHint) return undefined;
  return byMethod[plan.method] ?? (plan.idempotencyHeader === undefined ? askPerson : byKey);
}

function withVariables(service: ServiceDefinition, variables: JsonObject = {}): ServiceDefinition {
  return { ...service, servers: (settings, connection) => service.servers(settings, { ...variables, ...connection }) };
}

/** The account of the call; undefined for an operation that needs none. */
function connectionFor(
  operation: OpenApiOperation,
  { connection }: ProviderCall,
  toolkit: OpenApiToolkit,
): BoundConnection | undefined {
  const { schemes, isPublic, name } = operation;
  if (connection && schemes.includes(connection.facts.scheme)) return connection;
  if (isPublic) return undefined;
  const titles = toolkit.auth?.schemes.filter(({ id }) => schemes.includes(id)).map(({ title }) => title) ?? [];
  const problem = connection
    ? `${name} cannot be called with the connection ${connection.facts.slug}: it was made with another way to sign in`
    : `${name} needs an account`;
  throw new HelveError('connection_inaccessible', problem, {
    hint: `Ask a person to connect ${toolkit.title} with: ${titles.slice(0, 5).join(', or ')}.`,
  });
}
