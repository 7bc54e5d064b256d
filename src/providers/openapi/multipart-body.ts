/** A body in `multipart/form-data` (RFC 7578): files from base64, lists as repeated parts, objects as JSON. */
import { randomBytes } from 'node:crypto';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { decodeBase64 } from './base64.js';
import { wellFormed } from './clean-text.js';
import type { BodyPlan, FieldPlan } from './request-plan.js';
import { scalarText } from './serialise-parameter.js';

/** Returns the body and its content type. Throws `invalid_input` for invalid base64 or an invalid media type. */
export function multipartBody(
  { fields = {}, contentType }: BodyPlan,
  value: JsonObject,
): { contentType: string; bytes: Uint8Array } {
  const boundary = `helve-${randomBytes(18).toString('hex')}`;
  const pieces: Uint8Array[] = [];
  for (const [name, member] of Object.entries(value)) {
    const field = (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? {};
    for (const item of Array.isArray(member) ? member : [member])
      pieces.push(Buffer.from(`--${boundary}\r\n`), ...getPart(name, item, field), Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `${contentType}; boundary=${boundary}`, bytes: Buffer.concat(pieces) };
}

function getPart(name: string, value: JsonValue, field: FieldPlan): Uint8Array[] {
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`;
  if (field.file && isPlainObject(value)) {
    const { data, filename, content_type } = value;
    const type = mediaType(content_type ?? field.contentType ?? 'application/octet-stream', name);
    const head = `${disposition}; filename="${quoted(scalarText((filename as JsonValue) ?? name))}"\r\nContent-Type: ${type}\r\n\r\n`;
    return [Buffer.from(head), decodeBase64(scalarText(data as JsonValue), `${name}.data`)];
  }
  const json = typeof value === 'object' && value !== null;
  const type = field.contentType ?? (json ? 'application/json' : undefined);
  const head = type === undefined ? `${disposition}\r\n\r\n` : `${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return [Buffer.from(head), Buffer.from(scalarText(value))];
}

/** As browsers do it: nothing in a name may end its line or its quotes. */
const quoted = (text: string): string =>
  wellFormed(text).replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function mediaType(text: unknown, name: string): string {
  if (typeof text === 'string' && /^[\w.+*-]+\/[\w.+*-]+(?:\s*;\s*[\w.-]+=[\w."=-]+)*$/.test(text)) return text;
  throw new HelveError('invalid_input', `${name}.content_type is not a media type, such as image/png`);
}
