/**
 * What the record may hold of arguments and results: secrets replaced, long values cut.
 * The hash of the whole stands beside, so that what ran can still be proved.
 */
import type { JsonSchema, JsonValue } from '../spec/json.js';
import { isPlainObject } from '../util/canonical.js';

const names =
  'pass(?:word|phrase|wd)?|secret|token|authorization|cookie|set-cookie|credentials?|private[-_]?key|api[-_]?key|access[-_]?key|client[-_]?secret|session(?:[-_]?id)?|signature|card[-_]?number';
const shortNames = 'otp|pin|ssn|cvv';
const secretName = new RegExp(`^(?:.*[-_.])?(?:${names}|${shortNames})$`, 'i');

/** Shapes that are secret wherever they stand: our own credentials, bearer headers, JWTs, well-known key prefixes, PEM. */
const secretShape =
  /helve_(?:agent|key|link|session)_[\w-]{20,}|\bBearer\s+[\w.~+/-]{8,}=*|\bBasic\s+(?=[A-Za-z+/]*[\d=])[\w+/]{12,}={0,2}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|xox[abprs]|A[KS]IA|AIza|ya29\.)[\w-]{12,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** A name and its value inside a text: JSON in an error message, a query string, a line of settings. */
const namedInText = new RegExp(
  `((?:${names}|(?:\\b|_)(?:${shortNames}))["'\\\\]*\\s*[:=]\\s*["'\\\\]*)[^\\s"'\\\\&,;{}[\\]]{4,}`,
  'gi',
);
/** `scheme://user:password@host` */
const passwordInUrl = /(:\/\/[^\s/?#@:]*:)[^\s/?#@]+(?=@)/g;

const camelCase = /([a-z0-9])([A-Z])/g;
const longest = 2_000;
const mostItems = 50;

const redactedMark = '[redacted]';

/** A copy fit for the record. `schema` may mark further secrets with `writeOnly` or `format: password`. */
export function redact(value: JsonValue, schema?: JsonSchema): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) {
    const items = schema && isPlainObject(schema.items) ? schema.items : undefined;
    const kept: JsonValue[] = value.slice(0, mostItems).map((item: JsonValue) => redact(item, items));
    if (value.length > mostItems) kept.push(`[${value.length - mostItems} more]`);
    return kept;
  }
  if (isPlainObject(value)) return redactObject(value as { [key: string]: JsonValue }, schema);
  return value;
}

function redactObject(value: { [key: string]: JsonValue }, schema: JsonSchema | undefined): JsonValue {
  const properties = schema && isPlainObject(schema.properties) ? schema.properties : {};
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const property = isPlainObject(declared) ? declared : undefined;
    const secret = isSecretName(name) || property?.writeOnly === true || property?.format === 'password';
    return [redactText(name), secret && member !== null ? redactedMark : redact(member, property)];
  });
  return Object.fromEntries(entries);
}

/** Argument names are few and come again with every call. */
const judgedNames = new Map<string, boolean>();
const mostJudged = 5_000;

function isSecretName(name: string): boolean {
  const known = judgedNames.get(name);
  if (known !== undefined) return known;
  const secret = name.length <= 200 && secretName.test(name.replace(camelCase, '$1_$2'));
  if (judgedNames.size >= mostJudged) judgedNames.clear();
  judgedNames.set(name, secret);
  return secret;
}

export function redactText(text: string): string {
  let clean = text.slice(0, longest).replace(secretShape, redactedMark);
  if (/[:=]/.test(clean))
    clean = clean.replace(namedInText, `$1${redactedMark}`).replace(passwordInUrl, `$1${redactedMark}`);
  return text.length > longest ? `${clean}… [${text.length - longest} more characters]` : clean;
}
