/** Converts a valid input to the request that the document describes. */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { ServiceRequest } from '../../domain/service.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { toUuid } from '../../util/effect-key.js';
import { findStep } from '../../util/path-steps.js';
import { decodeBase64 } from './base64.js';
import { formBody } from './form-body.js';
import { multipartBody } from './multipart-body.js';
import type { BodyPlan, ParameterPlan, RequestPlan } from './request-plan.js';
import { cookieText, headerText, pathText, queryPairs, scalarText } from './serialise-parameter.js';

/**
 * `effectKey` becomes the idempotency key of an operation that takes one, unless the input has another. Throws `invalid_input`
 * for a value that cannot be part of a request.
 */
export function buildRequest(plan: RequestPlan, input: JsonObject, effectKey?: string): ServiceRequest {
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = { accept: plan.accept };
  const inPath = new Map<string, string>();
  for (const parameter of plan.parameters) {
    const value = getArgument(plan, parameter, input);
    if (value === undefined) continue;
    if (parameter.in === 'path') inPath.set(parameter.name, pathText(parameter, value));
    else if (parameter.in === 'query') query.push(...queryPairs(parameter.name, parameter, value));
    else if (parameter.in === 'header') headers[parameter.name.toLowerCase()] = headerText(parameter, value);
    else cookies.push(cookieText(parameter, value));
  }
  const { idempotencyHeader: key } = plan;
  if (key !== undefined && effectKey !== undefined) headers[key] ??= toUuid(effectKey);
  if (cookies.length > 0) headers.cookie = cookies.join('; ');
  const body = plan.body && buildBody(plan.body, input);
  if (body && body.contentType !== '') headers['content-type'] = body.contentType;
  return {
    method: plan.method,
    path: joinQuery(fillPath(plan.path, inPath), query),
    server: plan.server,
    emptySegments: true,
    headers,
    ...defined({ body: body?.bytes }),
  };
}

function getArgument(plan: RequestPlan, parameter: ParameterPlan, input: JsonObject): JsonValue | undefined {
  const group = plan.grouped ? input[parameter.in] : input;
  return isPlainObject(group) && Object.hasOwn(group, parameter.key) ? (group[parameter.key] as JsonValue) : undefined;
}

/** A value never leaves its path segment: it is encoded, and `.` and `..` are refused. */
function fillPath(template: string, values: ReadonlyMap<string, string>): string {
  const [path = '', fixed] = splitOnce(template, '?');
  const filled = path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value !== undefined && value !== '') return value;
    throw new HelveError('invalid_input', `${name} is part of the address and cannot be empty`);
  });
  const step = findStep(filled);
  if (step !== undefined) {
    const problem = `A part of the address would be ${JSON.stringify(step)}, which leads to another address`;
    throw new HelveError('invalid_input', problem, { hint: 'Send the id or name of the thing itself.' });
  }
  return fixed === undefined ? filled : `${filled}?${fixed}`;
}

function splitOnce(text: string, sign: string): [string, string | undefined] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function joinQuery(path: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

interface Body {
  readonly contentType: string;
  readonly bytes: string | Uint8Array;
}

function buildBody(plan: BodyPlan, input: JsonObject): Body | undefined {
  const value = plan.spread ? gathered(plan, input) : input.body;
  if (value === undefined) return undefined;
  const { contentType } = plan;
  switch (plan.kind) {
    case 'json':
      return { contentType, bytes: JSON.stringify(value) };
    case 'form':
      return { contentType, bytes: formBody(plan, objectOrEmpty(value) as JsonObject) };
    case 'multipart':
      return multipartBody(plan, objectOrEmpty(value) as JsonObject);
    case 'text':
      return { contentType, bytes: scalarText(value) };
    case 'binary':
      return { contentType, bytes: decodeBase64(scalarText(value), 'body') };
  }
}

function gathered({ spread = [], required }: BodyPlan, input: JsonObject): JsonObject | undefined {
  const names = new Map(spread);
  // In the caller's order: for some services the order has a meaning.
  const members = Object.entries(input).flatMap(([key, value]) => {
    const name = names.get(key);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return members.length > 0 || required ? Object.fromEntries(members) : undefined;
}
