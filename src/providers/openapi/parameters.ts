/** The parameters of an operation: their description, and how each is written. */
import { HelveError } from '../../domain/errors.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import type { DocumentView } from './document-view.js';
import { limits } from './limits.js';
import { isJsonType, plainType } from './media-types.js';
import { resolved } from './references.js';
import type { ParameterPlace, ParameterPlan, Style } from './request-plan.js';

export interface Parameter extends Omit<ParameterPlan, 'key'> {
  readonly required: boolean;
  readonly schema: unknown;
  readonly description?: unknown;
  readonly deprecated: boolean;
}

/** OpenAPI reserves the first three for bodies and security; the others belong to the connection itself. */
const ownHeaders = new Set([
  'accept',
  'content-type',
  'authorization',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'keep-alive',
  'cookie',
  'proxy-authorization',
  'proxy-connection',
  'accept-encoding',
]);

const styles: Readonly<Record<ParameterPlace, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** `covered`: parameters that the account's credentials fill in, as `in:name`. */
export function readParameters(
  view: DocumentView,
  path: string,
  lists: readonly unknown[],
  covered: ReadonlySet<string>,
): Parameter[] {
  const found = new Map<string, Parameter>();
  const names = new Set(listVariables(path));
  for (const raw of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = readParameter(view, raw);
    if (!parameter) continue;
    const { name } = parameter;
    const unused =
      parameter.in === 'path' ? !names.has(name) : parameter.in === 'header' && ownHeaders.has(name.toLowerCase());
    if (unused || covered.has(`${parameter.in}:${name.toLowerCase()}`)) continue;
    found.set(`${parameter.in}:${name}`, parameter);
  }
  for (const name of names) {
    if (found.has(`path:${name}`)) continue;
    const plain = { schema: { type: 'string' }, required: true, deprecated: false } as const;
    found.set(`path:${name}`, { name, in: 'path', style: 'simple', explode: false, ...plain });
  }
  if (found.size > limits.parameters)
    throw new HelveError('invalid_config', `it has ${found.size} parameters, the maximum is ${limits.parameters}`);
  return [...found.values()];
}

const keyLength = 36;

/** Whether a parameter is a header for an idempotency key that may be any UUID. */
export function takesKey(view: DocumentView, { in: place, name, schema, content }: Parameter): boolean {
  if (place !== 'header' || content !== undefined || !/^(?:x-)?idempotency-key$/i.test(name)) return false;
  const { type = 'string', format, pattern, enum: values, ...rest } = objectOrEmpty(resolved(view, schema));
  const { minLength = 0, maxLength = keyLength } = rest as { minLength?: number; maxLength?: number };
  const isFree = pattern === undefined && values === undefined && (format === undefined || format === 'uuid');
  return type === 'string' && isFree && minLength <= keyLength && maxLength >= keyLength;
}

function listVariables(path: string): string[] {
  return [
    ...path
      .split('?', 1)
      .join('')
      .matchAll(/\{([^{}]*)\}/g),
  ].map(([, name]) => name ?? '');
}

function readParameter(view: DocumentView, raw: unknown): Parameter | undefined {
  const parameter = resolved(view, raw);
  if (!parameter) {
    const reference = isPlainObject(raw) && typeof raw.$ref === 'string' ? raw.$ref.slice(0, 200) : 'a parameter';
    throw new HelveError('invalid_config', `${reference} is not in the document`);
  }
  // Version 2 syntax in a document of version 3: its members are read with the body.
  if (parameter.in === 'body' || parameter.in === 'formData') return undefined;
  const { name, place } = getIdentity(parameter);
  const style = styles[place].find((known) => known === parameter.style) ?? styles[place][0] ?? 'form';
  const content = getContent(parameter.content);
  return {
    name,
    in: place,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form' || style === 'deepObject',
    required: place === 'path' || parameter.required === true,
    schema: content ? content.schema : parameter.schema,
    description: parameter.description,
    deprecated: parameter.deprecated === true,
    ...defined({ content: content?.kind, reserved: parameter.allowReserved === true || undefined }),
  };
}

function getIdentity(parameter: Readonly<Record<string, unknown>>): { name: string; place: ParameterPlace } {
  const { name, in: place } = parameter;
  if (typeof name !== 'string' || name === '' || !isPlace(place))
    throw new HelveError(
      'invalid_config',
      `a parameter has no name or no place: ${JSON.stringify(parameter).slice(0, 100)}`,
    );
  if (place === 'header' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw new HelveError('invalid_config', `${JSON.stringify(name.slice(0, 100))} cannot be the name of a header`);
  return { name, place };
}

const isPlace = (place: unknown): place is ParameterPlace =>
  place === 'path' || place === 'query' || place === 'header' || place === 'cookie';

function getContent(content: unknown): { kind: 'json' | 'text'; schema: unknown } | undefined {
  if (!isPlainObject(content)) return undefined;
  const [type, media] = Object.entries(content)[0] ?? [];
  if (type === undefined) return undefined;
  return {
    kind: isJsonType(plainType(type)) ? 'json' : 'text',
    schema: isPlainObject(media) ? media.schema : undefined,
  };
}
