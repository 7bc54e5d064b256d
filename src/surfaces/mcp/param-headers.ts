/**
 * `Mcp-Param-*` (2026-07-28): arguments that the client repeats in headers, so that intermediaries can route or
 * limit by them. A request whose headers and body disagree is refused before anything uses either.
 */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';

interface MarkedParameter {
  /** As the tool's schema writes it after `Mcp-Param-`. */
  readonly header: string;
  /** The properties that lead to the value. */
  readonly path: readonly string[];
}

const mark = 'x-mcp-header';
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const marked = new WeakMap<object, readonly MarkedParameter[]>();

/** The disagreement between the headers and the arguments of a call of the tool with this schema; undefined if there is none. */
export function findHeaderMismatch(schema: JsonSchema, input: unknown, headers: Headers): string | undefined {
  for (const { header, path } of markedParameters(schema)) {
    const name = `Mcp-Param-${header}`;
    const problem = compareValues(headers.get(name), valueAt(input, path));
    if (problem !== undefined) return `${name} ${problem} (${path.join('.')} in the arguments)`;
  }
  return undefined;
}

function compareValues(sent: string | null, value: unknown): string | undefined {
  // A value of another type than the schema allows is refused with the input, by its path.
  if (value !== undefined && value !== null && !['string', 'number', 'boolean'].includes(typeof value))
    return undefined;
  if (value === undefined || value === null)
    return sent === null ? undefined : 'is present, but the body has no such value';
  if (sent === null) return 'is missing, but the body has the value';
  const decoded = decodeValue(sent);
  if (decoded === undefined) return 'is not correctly encoded';
  if (/^-?\d+(?:\.\d+)?$/.test(decoded) && Number(decoded) === value) return undefined;
  return decoded === String(value) ? undefined : 'differs from the value in the body';
}

/** Undefined if it has characters that no header may have, or its Base64 is not the encoding of a text. */
function decodeValue(sent: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(sent)) return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(sent)?.[1];
  if (encoded === undefined) return sent;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Only values that are reached through `properties` alone can be marked. */
function markedParameters(schema: JsonSchema): readonly MarkedParameter[] {
  const known = marked.get(schema);
  if (known !== undefined) return known;
  const found: MarkedParameter[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (!isPlainObject(value)) return;
    const header = Object.hasOwn(value, mark) ? value[mark] : undefined;
    // A mark that is not a valid header name cannot be followed by any client.
    if (typeof header === 'string' && headerName.test(header)) found.push({ header, path });
    if (!isPlainObject(value.properties)) return;
    for (const [name, property] of Object.entries(value.properties)) visit(property, [...path, name]);
  };
  visit(schema, []);
  marked.set(schema, found);
  return found;
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let value = input;
  for (const name of path) {
    if (!isPlainObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
