/** Reads an API's own explanation of a refusal: problem+json (RFC 9457), and the usual other shapes. */
import type { Explained, ServiceResponse } from '../../domain/service.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { cleanText } from './clean-text.js';

const maxLength = 600;

/** Returns the message, the status and, for 429, the seconds to wait; undefined if the status is below 400. */
export function explainRefusal(response: ServiceResponse): Explained | undefined {
  if (response.status < 400) return undefined;
  const body = parsed(response);
  const said = isPlainObject(body) ? ofObject(body) : typeof body === 'string' ? ofText(body, response) : listed(body);
  const message = said === undefined ? `The service answered ${response.status}` : `${said} (${response.status})`;
  const retryAfterSeconds = response.status === 429 ? retryAfter(response.headers['retry-after']) : undefined;
  return { message, details: { status: response.status }, ...defined({ retryAfterSeconds }) };
}

function parsed(response: ServiceResponse): unknown {
  const text = new TextDecoder().decode(response.body.subarray(0, 100_000));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A page of HTML is for browsers: only its title is used. */
function ofText(text: string, { headers }: ServiceResponse): string | undefined {
  const isMarkup = /html|xml/.test(headers['content-type'] ?? '') || /^\s*</.test(text);
  if (!isMarkup) return cleanText(text, maxLength);
  return cleanText(/<(title|message|Message)>([^<]{1,500})<\/\1>/.exec(text.slice(0, 20_000))?.[2], maxLength);
}

const messageKeys = [
  'detail',
  'message',
  'Message',
  'error_description',
  'error_message',
  'errorMessage',
  'msg',
  'reason',
  'description',
  'title',
  'faultstring',
];
const nestedKeys = ['error', 'errors', 'fault', 'details', 'Error', 'meta', 'status'];

function ofObject(body: Record<string, unknown>, depth = 0): string | undefined {
  const own = messageKeys.map((key) => toText(body[key])).find((text) => text !== undefined);
  const inner =
    depth > 3 ? undefined : nestedKeys.map((key) => nested(body[key], depth)).find((text) => text !== undefined);
  const title = toText(body.title);
  const headed = own !== undefined && title !== undefined && title !== own ? `${title}: ${own}` : own;
  const both = [headed, inner].filter((text) => text !== undefined && text !== '');
  return cleanText([...new Set(both)].join('; '), maxLength);
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? cleanText(value, maxLength) : undefined;

function nested(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return toText(value);
  if (Array.isArray(value)) return listed(value, depth + 1);
  if (!isPlainObject(value)) return undefined;
  const said = ofObject(value, depth + 1);
  if (said !== undefined) return said;
  // `{ name: ['cannot be blank'] }`, by field.
  const fields = Object.entries(value).flatMap(([field, what]) => {
    const text = typeof what === 'string' ? what : listed(what, depth + 1);
    return text === undefined ? [] : [`${field}: ${text}`];
  });
  return fields.length > 0 ? cleanText(fields.slice(0, 10).join('; '), maxLength) : undefined;
}

function listed(value: unknown, depth = 0): string | undefined {
  if (!Array.isArray(value) || depth > 4) return undefined;
  const texts = value.slice(0, 5).map((each) => (isPlainObject(each) ? ofObject(each, depth + 1) : toText(each)));
  const said = [...new Set(texts.filter((text) => text !== undefined))];
  return said.length > 0 ? said.join('; ') : undefined;
}

function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : undefined;
}
