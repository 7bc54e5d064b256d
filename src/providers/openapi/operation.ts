/** One operation of a document as a tool: its description for a model, its input, and how that becomes a request. */
import { HelveError } from '../../domain/errors.js';
import type { RiskTier, ToolAnnotations } from '../../domain/tool.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { cleanText } from './clean-text.js';
import type { DocumentView } from './document-view.js';
import type { AnswerReader } from './documented-answer.js';
import { readInput } from './input-schema.js';
import { limits } from './limits.js';
import { isJsonType, plainType } from './media-types.js';
import { chooseVerb, getCapability } from './operation-name.js';
import { type Paging, readPaging } from './paging.js';
import { readParameters, takesKey } from './parameters.js';
import { resolved } from './references.js';
import { readBody } from './request-body.js';
import type { Method, RequestPlan } from './request-plan.js';
import type { CompactSchema, SchemaStore } from './schema-store.js';
import type { OperationSecurity, Security } from './security.js';
import type { Servers } from './servers.js';

export interface OpenApiOperation {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly method: Method;
  /** As the document writes it. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly capabilities: readonly string[];
  readonly annotations: ToolAnnotations;
  readonly risk: RiskTier;
  readonly scopes: readonly string[];
  /** Ids of the toolkit's sign-in schemes that work for it. */
  readonly schemes: readonly string[];
  /** Whether it works without an account. */
  readonly isPublic: boolean;
  readonly input: CompactSchema;
  readonly plan: RequestPlan;
  readonly paging?: Paging;
  /** What the document says about the answer, as the text of a JSON Schema. */
  readonly documentedAnswer?: string;
}

/** Before all operations are known: names, scopes and schemes depend on the others. */
export interface OperationDraft
  extends Omit<
    OpenApiOperation,
    'name' | 'title' | 'capabilities' | 'annotations' | 'risk' | 'scopes' | 'schemes' | 'isPublic'
  > {
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly security: OperationSecurity;
}

export interface ReadingContext {
  readonly view: DocumentView;
  readonly store: SchemaStore;
  readonly servers: Servers;
  readonly security: Security;
  readonly readAnswerType: AnswerReader;
  /** Of the whole document. */
  readonly usualSecurity: unknown;
}

type Source = Readonly<Record<string, unknown>>;

/** Throws `invalid_config` with the reason for an operation that cannot be called. */
export function readOperation(
  context: ReadingContext,
  path: string,
  method: string,
  item: Source,
  operation: Source,
): OperationDraft {
  const { view, store, servers, security } = context;
  const verb = getMethod(method);
  const asked = security.read(operation.security ?? context.usualSecurity);
  const declared = readParameters(view, path, [item.parameters, operation.parameters], asked.covered);
  const key = verb === 'POST' || verb === 'PATCH' ? declared.find((one) => takesKey(view, one)) : undefined;
  const parameters = declared.map((one) => (one === key ? { ...one, required: false } : one));
  // RFC 9110 gives the body of these methods no meaning, and OpenAPI says to ignore it.
  const body = verb === 'GET' || verb === 'HEAD' ? undefined : readBody(view, operation.requestBody);
  const input = readInput(store, parameters, body);
  const paging = verb === 'GET' || verb === 'POST' ? readPaging(input, parameters) : undefined;
  const documentedAnswer = verb === 'HEAD' ? undefined : context.readAnswerType(operation.responses, paging);
  const deprecated = operation.deprecated === true;
  const summary = cleanText(operation.summary ?? item.summary, 160);
  return {
    summary,
    operationId: typeof operation.operationId === 'string' ? operation.operationId : undefined,
    description: describe(operation.description ?? item.description, summary, verb, path, deprecated, paging),
    method: verb,
    path,
    tags: listTags(operation.tags),
    deprecated,
    security: asked,
    input: input.schema,
    plan: {
      method: verb,
      path: (path.split('#')[0] ?? '').replace(/^(?!\/)/, '/'),
      server: servers.nameOf(operation.servers ?? item.servers),
      accept: getAccept(view, operation.responses),
      parameters: input.parameters,
      ...defined({ grouped: input.grouped, body: input.body, idempotencyHeader: key?.name.toLowerCase() }),
    },
    ...defined({ paging, documentedAnswer }),
  };
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

function getMethod(method: string): Method {
  const found = methods.find((known) => known === method.toUpperCase());
  if (found) return found;
  throw new HelveError('invalid_config', `the method ${method.toUpperCase()} is not sent`);
}

function listTags(tags: unknown): string[] {
  const texts = Array.isArray(tags) ? tags.slice(0, 20).map((tag) => cleanText(tag, 80)) : [];
  return texts.filter((tag) => tag !== undefined);
}

function describe(
  text: unknown,
  summary: string | undefined,
  method: Method,
  path: string,
  deprecated: boolean,
  paging: Paging | undefined,
): string {
  const said = cleanText(text, limits.description);
  const repeated = said !== undefined && summary !== undefined && said.startsWith(summary.replace(/[.…]$/, ''));
  return [
    deprecated ? 'Deprecated' : undefined,
    repeated ? undefined : summary,
    said,
    `${method} ${cleanText(path, 200) ?? '/'}`,
    paging ? 'The answer has `_page`; if there is more, call again with the arguments in `_page.next`' : undefined,
  ]
    .filter((part) => part !== undefined)
    .map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

const otherwise = '*/*;q=0.5';

/** JSON is preferred if it is offered. */
function getAccept(view: DocumentView, responses: unknown): string {
  const good = Object.entries(objectOrEmpty(responses)).filter(([status]) => /^(?:2|default)/.test(status));
  const types = good.flatMap(([, raw]) => {
    const content = safely(() => resolved(view, raw)?.content);
    return isPlainObject(content) ? Object.keys(content) : [];
  });
  const sendable = types.filter((type) => /^[\w.+-]+\/[\w.+-]+(?:\s*;[\w .="+-]*)?$/.test(type));
  const json = sendable.filter((type) => isJsonType(plainType(type)));
  const wanted = [...new Set(json.length > 0 ? json : sendable)].slice(0, 3);
  return [...(wanted.length > 0 ? wanted : ['application/json']), otherwise].join(', ');
}

function safely<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export interface OperationFacts {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly schemes: readonly string[];
}

/** Returns the finished operation, with the facts that depend on the other operations. */
export function finishOperation(draft: OperationDraft, { name, scopes, schemes }: OperationFacts): OpenApiOperation {
  const { operationId: _, summary, security, ...rest } = draft;
  const annotations = toAnnotations(draft.method, name);
  return {
    ...rest,
    name,
    title:
      cleanText(summary?.replace(/\.$/, ''), 100) ??
      name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()),
    capabilities: [getCapability(name, draft.method, draft.path)],
    annotations,
    risk: annotations.readOnlyHint ? 'read' : annotations.destructiveHint ? 'destructive' : 'write',
    scopes,
    schemes,
    isPublic: security.optional || schemes.length === 0,
  };
}

const endings = new Set(['delete', 'remove', 'revoke']);
const reading = new Set([
  undefined,
  'get',
  'list',
  'find',
  'search',
  'download',
  'export',
  'check',
  'validate',
  'verify',
  'count',
  'test',
]);

/** By the method. A GET that the document calls `delete…` does not count as read-only. */
function toAnnotations(method: Method, name: string): ToolAnnotations {
  const verb = chooseVerb(name);
  const word = name.split('_')[0] ?? '';
  const ends =
    method === 'DELETE' ||
    (endings.has(verb ?? '') && (method === 'POST' || /^(?:delete|remove|revoke|purge|destroy)/.test(word)));
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const readOnlyHint =
    reads &&
    !ends &&
    (reading.has(verb) || !/^(?:create|add|insert|update|edit|set|send|cancel|start|stop|run|execute)$/.test(word));
  return {
    readOnlyHint,
    destructiveHint: ends,
    idempotentHint: reads || method === 'PUT' || method === 'DELETE',
    openWorldHint: true,
  };
}
