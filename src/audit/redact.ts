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
interface Cut {
  readonly text: number;
  readonly items: number;
}

const forRecord: Cut = { text: 2_000, items: 50 };
/** A person who approves must see what will run. Still bounded: the search for secrets is quadratic at worst. */
const forPerson: Cut = { text: 20_000, items: 1_000 };

const redactedMark = '[redacted]';

/** A copy fit for the record. `schema` may mark further secrets with `writeOnly` or `format: password`. */
export function redact(value: JsonValue, schema?: JsonSchema): JsonValue {
  return redactValue(value, schema, forRecord);
}

/** For a person who decides on the value: cut only where nobody would read on, and never silently. */
export function redactForPerson(value: JsonValue, schema?: JsonSchema): JsonValue {
  return redactValue(value, schema, forPerson);
}

function redactValue(value: JsonValue, schema: JsonSchema | undefined, cut: Cut): JsonValue {
  if (typeof value === 'string') return redactText(value, cut);
  if (Array.isArray(value)) {
    const items = schema && isPlainObject(schema.items) ? schema.items : undefined;
    const kept: JsonValue[] = value.slice(0, cut.items).map((item: JsonValue) => redactValue(item, items, cut));
    if (value.length > cut.items) kept.push(`[${value.length - cut.items} more]`);
    return kept;
  }
  if (isPlainObject(value)) return redactObject(value as { [key: string]: JsonValue }, schema, cut);
  return value;
}

function redactObject(value: { [key: string]: JsonValue }, schema: JsonSchema | undefined, cut: Cut): JsonValue {
  const properties = schema && isPlainObject(schema.properties) ? schema.properties : {};
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const property = isPlainObject(declared) ? declared : undefined;
    const secret = isSecretName(name) || property?.writeOnly === true || property?.format === 'password';
    return [redactText(name, cut), secret && member !== null ? redactedMark : redactValue(member, property, cut)];
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

export function redactText(text: string, cut: Cut = forRecord): string {
  let clean = text.slice(0, cut.text).replace(secretShape, redactedMark);
  if (/[:=]/.test(clean))
    clean = clean.replace(namedInText, `$1${redactedMark}`).replace(passwordInUrl, `$1${redactedMark}`);
  return text.length > cut.text ? `${clean}… [${text.length - cut.text} more characters]` : clean;
}
