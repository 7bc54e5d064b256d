/**
 * An OpenAPI 3.0 or 3.1 document as a toolkit. Pure: nothing is fetched. Unusable parts are refused by name with the
 * reason: the operation if only that is at fault, otherwise the document.
 */
import type { OAuthProvider, ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonSchema, JsonValue } from '../../domain/json.js';
import type { ServiceDefinition } from '../../domain/service.js';
import { canonicalJson, isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { parseUrl } from '../../util/parse-url.js';
import { atOnce, type Sliced } from '../../util/slices.js';
import { chooseScopes } from './choose-scopes.js';
import { cleanText } from './clean-text.js';
import { type DocumentView, objectView } from './document-view.js';
import { createAnswerReader } from './documented-answer.js';
import { explainRefusal } from './explain-refusal.js';
import { limits } from './limits.js';
import {
  finishOperation,
  type OpenApiOperation,
  type OperationDraft,
  type ReadingContext,
  readOperation,
} from './operation.js';
import { nameOperations } from './operation-name.js';
import { resolved } from './references.js';
import { createSchemaStore } from './schema-store.js';
import { type AuthFacts, createSecurity } from './security.js';
import { createServers, type ServerOptions, type Servers } from './servers.js';

export interface ReadOptions extends ServerOptions {
  readonly slug: string;
}

export interface RefusedOperation {
  /** Method and path. */
  readonly operation: string;
  readonly reason: string;
}

export interface OpenApiToolkit {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Whether at least one operation needs an account. */
  readonly needsConnection: boolean;
  readonly auth?: ToolkitAuth;
  readonly oauthProviders: readonly OAuthProvider[];
  readonly service: ServiceDefinition;
  readonly operations: readonly OpenApiOperation[];
  readonly refused: readonly RefusedOperation[];
  /** Where the document sends requests and people who sign in; without what the operator decides. */
  readonly destinations: { readonly servers: readonly JsonValue[]; readonly signIn: readonly string[] };
  /** Throws `invalid_config` with the reason for an operation whose server cannot be used with these settings. */
  checkServer(operation: OpenApiOperation, settings: JsonObject, connection: JsonObject): void;
  /** Returns the input schema of one of its operations; each call creates a new object. */
  inputSchema(operation: OpenApiOperation): JsonSchema;
}

/** Throws `invalid_config` with the reason for a document that cannot be used. */
export function readOpenApi(document: JsonObject, options: ReadOptions): OpenApiToolkit {
  return atOnce(readSliced(objectView(document as Record<string, unknown>), options));
}

export function* readSliced(view: DocumentView, options: ReadOptions): Sliced<OpenApiToolkit> {
  checkVersion(view);
  const info = getInfo(view);
  const title = cleanText(info.title, 80) ?? options.slug;
  const servers = createServers(view.get(['servers']), options);
  const absolute = absoluteBy(options);
  const definitions = view.get(['components', 'securitySchemes']) ?? view.get(['securityDefinitions']);
  const store = createSchemaStore(view);
  const context: ReadingContext = {
    view,
    servers,
    store,
    security: createSecurity(resolvedAll(view, definitions), { slug: options.slug, title, absolute }),
    readAnswerType: createAnswerReader(view),
    usualSecurity: view.get(['security']),
  };
  const { drafts, refused } = yield* readPaths(context);
  if (drafts.length === 0) throw new HelveError('invalid_config', refusedWhole(refused));
  const facts = context.security.facts(servers.fields());
  store.release();
  const { operations, implied } = yield* finishAll(drafts, facts);
  const impliedScopes = Object.keys(implied).length > 0 ? implied : undefined;
  return {
    slug: options.slug,
    title,
    description: cleanText(info.description, 300) ?? `The operations of ${title}.`,
    needsConnection: operations.some(({ isPublic }) => !isPublic),
    ...defined({ auth: facts.auth && { ...facts.auth, ...defined({ impliedScopes }) } }),
    oauthProviders: facts.oauthProviders,
    service: getService(servers, facts),
    operations,
    refused,
    destinations: { servers: sorted(servers.destinations()), signIn: sorted(signInOrigins(facts)) },
    checkServer: ({ plan }, settings, connection) => servers.check(plan.server, settings, connection),
    inputSchema: (operation) => store.expand(operation.input),
  };
}

/** The document's description of itself. */
export function getInfo(view: DocumentView): Readonly<Record<string, unknown>> {
  return objectOrEmpty(view.get(['info']));
}

function checkVersion(view: DocumentView): void {
  const version = view.get(['openapi']);
  if (typeof version === 'string' && /^3\.[012]\b/.test(version)) return;
  const shown = version ?? view.get(['swagger']) ?? view.get(['asyncapi']);
  const what =
    shown === undefined
      ? 'it does not say which version of OpenAPI it is'
      : `it is of version ${JSON.stringify(shown)}`;
  throw new HelveError('invalid_config', what.slice(0, 200), { hint: 'OpenAPI 3.0, 3.1 and 2.0 can be used.' });
}

function resolvedAll(view: DocumentView, definitions: unknown): Record<string, unknown> {
  if (!isPlainObject(definitions)) return {};
  return Object.fromEntries(Object.entries(definitions).map(([name, raw]) => [name, resolved(view, raw)]));
}

function absoluteBy({ documentUrl, baseUrl }: ServerOptions) {
  return (text: unknown): string | undefined => {
    if (typeof text !== 'string' || text === '') return undefined;
    const base = documentUrl ?? baseUrl;
    const url = parseUrl(text, base);
    return url && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : undefined;
  };
}

const methodNames = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

interface ReadPaths {
  readonly drafts: readonly OperationDraft[];
  readonly refused: readonly RefusedOperation[];
}

function* readPaths(context: ReadingContext): Sliced<ReadPaths> {
  const drafts: OperationDraft[] = [];
  const refused: RefusedOperation[] = [];
  const refuse = (operation: string, error: unknown): void => {
    // An invalid document violates assumptions that no list of checks can foresee.
    const reason = error instanceof HelveError ? error.message : `it is malformed (${(error as Error).message})`;
    refused.push({ operation: operation.slice(0, 300), reason });
  };
  const { view } = context;
  for (const path of view.keys(['paths'])) {
    yield;
    if (path.startsWith('x-')) continue;
    let item: Record<string, unknown> = {};
    try {
      item = pathItem(view, path);
    } catch (error) {
      refuse(path, error);
    }
    for (const method of methodNames) {
      const operation = Object.hasOwn(item, method) ? item[method] : undefined;
      if (!isPlainObject(operation)) continue;
      yield;
      try {
        // Serialised and parsed, so that nothing stored retains the text of the document.
        const { security, ...draft } = readOperation(context, path, method, item, operation);
        drafts.push({ ...(JSON.parse(JSON.stringify(draft)) as Omit<OperationDraft, 'security'>), security });
      } catch (error) {
        refuse(`${method.toUpperCase()} ${path}`, error);
      }
      if (drafts.length > limits.operations)
        throw new HelveError('invalid_config', `it has more than ${limits.operations} operations`);
    }
  }
  return { drafts, refused };
}

function pathItem(view: DocumentView, path: string): Record<string, unknown> {
  const item = view.get(['paths', path]);
  if (!isPlainObject(item)) return {};
  const target = resolved(view, item);
  return target === item ? item : { ...target, ...item };
}

function refusedWhole(refused: readonly RefusedOperation[]): string {
  const [first] = refused;
  if (!first) return 'it has no operations';
  const same = refused.every(({ reason }) => reason === first.reason);
  return same
    ? first.reason
    : `none of its ${refused.length} operations can be used; ${first.operation}: ${first.reason}`;
}

interface Finished {
  readonly operations: readonly OpenApiOperation[];
  readonly implied: Readonly<Record<string, readonly string[]>>;
}

function* finishAll(drafts: readonly OperationDraft[], facts: AuthFacts): Sliced<Finished> {
  const names = yield* nameOperations(drafts);
  const scopes = chooseScopes(drafts.map(({ security }) => security.scopes));
  const operations: OpenApiOperation[] = [];
  for (const [index, draft] of drafts.entries()) {
    yield;
    const schemes = draft.security.alternatives.flatMap((key) => facts.schemesOf.get(key) ?? []);
    const own = { name: names[index] ?? '', scopes: scopes.ofOperations[index] ?? [], schemes };
    operations.push(finishOperation(draft, own));
  }
  return { operations, implied: scopes.implied };
}

function signInOrigins({ oauthProviders, tokenUrls }: AuthFacts): string[] {
  const endpoints = oauthProviders.flatMap((each) => [each.authorizationEndpoint, each.tokenEndpoint]);
  return [...endpoints, ...tokenUrls].map((url) => new URL(url).origin);
}

/** Each value once, in an order that does not depend on the document's. */
function sorted<T extends JsonValue>(values: readonly T[]): T[] {
  const byText = new Map(values.map((value) => [canonicalJson(value), value]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function getService(servers: Servers, { tokenUrls }: AuthFacts): ServiceDefinition {
  return {
    servers(settings, connection) {
      const tokens = tokenUrls.map((url, index) => [
        `token_${index + 1}`,
        { url: new URL('.', url).href.replace(/\/$/, '') },
      ]);
      return { ...servers.addresses(settings, connection), ...Object.fromEntries(tokens) };
    },
    explain: explainRefusal,
  };
}
