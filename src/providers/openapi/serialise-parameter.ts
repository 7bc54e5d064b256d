/** Values in the styles of OpenAPI (RFC 6570): lists and objects as text in a path, a query, a header or a cookie. */
import { HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { wellFormed } from './clean-text.js';
import type { FieldPlan, ParameterPlan } from './request-plan.js';

type Encode = (text: string) => string;
type Pair = readonly [name: string, value: string];

/** Everything but letters, digits and `-._~`. */
const encodeAll: Encode = (text) =>
  encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Keeps the characters that RFC 3986 reserves, except those that would end the value or the query; existing encoding stays. */
const encodeReserved: Encode = (text) =>
  text
    .split(/(%[0-9A-Fa-f]{2}|[:/?[\]@!$'()*,;=])/)
    .map((part, index) => (index % 2 === 1 ? part : encodeAll(part)))
    .join('');

/** Returns a scalar as text, null as an empty text, objects and lists as JSON. */
export function scalarText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const getEncoder = ({ reserved }: Pick<FieldPlan, 'reserved'>): Encode => (reserved ? encodeReserved : encodeAll);

/** One template variable of a path. */
export function pathText(plan: ParameterPlan, value: JsonValue): string {
  const { style, explode, name } = plan;
  const prefix = style === 'label' ? '.' : style === 'matrix' ? ';' : '';
  const between = style === 'label' ? '.' : style === 'matrix' ? ';' : ',';
  if (plan.content) return encodeAll(contentText(plan, value));
  const named = (text: string): string => (style === 'matrix' ? `${encodeAll(name)}=${text}` : text);
  if (Array.isArray(value)) {
    const items = value.map((item) => encodeAll(scalarText(item)));
    return prefix + (explode ? items.map(named).join(between) : named(items.join(',')));
  }
  if (isPlainObject(value)) {
    const entries = listEntries(value, encodeAll);
    return prefix + (explode ? entries.map((pair) => pair.join('=')).join(between) : named(entries.flat().join(',')));
  }
  return prefix + named(encodeAll(scalarText(value)));
}

const listEntries = (value: Record<string, unknown>, encode: Encode): Pair[] =>
  Object.entries(value).map(([name, member]) => [encode(name), encode(scalarText(member as JsonValue))]);

/** `name=value` pairs, encoded, of a query or a form. */
export function queryPairs(
  name: string,
  plan: Pick<ParameterPlan, 'style' | 'explode' | 'content' | 'reserved'>,
  value: JsonValue,
): string[] {
  const encode = getEncoder(plan);
  const own = encodeAll(name);
  if (plan.content) return [`${own}=${encode(contentText(plan, value))}`];
  if (plan.style === 'deepObject') return deepPairs(own, value, encode, 0);
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const items = value.map((item) => encode(scalarText(item)));
    return plan.explode ? items.map((item) => `${own}=${item}`) : [`${own}=${items.join(getDelimiter(plan.style))}`];
  }
  if (!isPlainObject(value)) return [`${own}=${encode(scalarText(value))}`];
  const entries = listEntries(value, encode);
  if (entries.length === 0) return [];
  if (plan.explode) return entries.map((pair) => pair.join('='));
  return [`${own}=${entries.flat().join(getDelimiter(plan.style))}`];
}

const getDelimiter = (style: string): string =>
  style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';

/** `name[a][0][b]=1`. OpenAPI leaves open how lists are written: with indexes, lists of objects can be, too. */
function deepPairs(prefix: string, value: JsonValue, encode: Encode, depth: number): string[] {
  if ((!Array.isArray(value) && !isPlainObject(value)) || depth > 10) return [`${prefix}=${encode(scalarText(value))}`];
  return Object.entries(value).flatMap(([name, member]) =>
    deepPairs(`${prefix}%5B${encodeAll(name)}%5D`, member as JsonValue, encode, depth + 1),
  );
}

/** Throws `invalid_input` for a value that no header can contain. */
export function headerText(plan: ParameterPlan, value: JsonValue): string {
  const text = plan.content ? contentText(plan, value) : simpleText(plan, value);
  if (/^[\x20-\x7e\xa0-\xff]*$/.test(text)) return text;
  throw new HelveError(
    'invalid_input',
    `${plan.key}: the value of the header ${plan.name} is not one line of plain text`,
    {
      hint: 'Send it without line breaks, control characters and characters beyond Latin-1.',
    },
  );
}

function simpleText({ explode }: ParameterPlan, value: JsonValue): string {
  if (Array.isArray(value)) return value.map(scalarText).join(',');
  if (!isPlainObject(value)) return scalarText(value);
  return listEntries(value, (text) => text)
    .map((pair) => pair.join(explode ? '=' : ','))
    .join(',');
}

/** Returns the value as one part of the `Cookie` header. */
export function cookieText(plan: ParameterPlan, value: JsonValue): string {
  return queryPairs(plan.name, { ...plan, style: 'form' }, value).join('&');
}

function contentText({ content }: Pick<ParameterPlan, 'content'>, value: JsonValue): string {
  return content === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
}
