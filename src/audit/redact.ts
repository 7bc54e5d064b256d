/**
 * What the record may hold of arguments and results: secrets replaced, long values cut.
 * The hash of the whole stands beside, so that what ran can still be proved.
 */
import type { JsonSchema, JsonValue } from '../spec/json.js';
import { isPlainObject } from '../util/canonical.js';
import { remembered } from '../util/remembered.js';

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
  /** Characters of one text. */
  readonly text: number;
  /** Of one list; four times as many keys of one object. */
  readonly items: number;
  /** Values, and characters of text, of the whole. */
  readonly values: number;
  readonly characters: number;
}

const forRecord: Cut = { text: 2_000, items: 50, values: 2_000, characters: 100_000 };
/** What is left of the whole: a value of many small parts costs as much as a long one. */
interface Budget extends Cut {
  values: number;
  characters: number;
}

const redactedMark = '[redacted]';

/** A copy fit for the record. `schema` may mark further secrets with `writeOnly` or `format: password`. */
export function redact(value: JsonValue, schema?: JsonSchema): JsonValue {
  return redactValue(value, schema, { ...forRecord });
}

function redactValue(value: JsonValue, schema: JsonSchema | undefined, budget: Budget): JsonValue {
  budget.values -= 1;
  if (budget.values < 0) return '[more]';
  if (typeof value === 'string') return redactWithin(value, budget);
  if (Array.isArray(value)) {
    const items = schema && isPlainObject(schema.items) ? schema.items : undefined;
    const kept: JsonValue[] = value.slice(0, budget.items).map((item: JsonValue) => redactValue(item, items, budget));
    if (value.length > budget.items) kept.push(`[${value.length - budget.items} more]`);
    return kept;
  }
  if (isPlainObject(value)) return redactObject(value as { [key: string]: JsonValue }, schema, budget);
  return value;
}

function redactWithin(text: string, budget: Budget): string {
  const most = Math.max(0, Math.min(budget.text, budget.characters));
  budget.characters -= Math.min(text.length, most);
  return redactText(text, most);
}

function redactObject(value: { [key: string]: JsonValue }, schema: JsonSchema | undefined, budget: Budget): JsonValue {
  const properties = schema && isPlainObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(value);
  const kept = names.slice(0, budget.items * 4).map((name): [string, JsonValue] => {
    const member = value[name] ?? null;
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const property = isPlainObject(declared) ? declared : undefined;
    const secret = isSecretName(name) || property?.writeOnly === true || property?.format === 'password';
    return [
      redactWithin(name, budget),
      secret && member !== null ? redactedMark : redactValue(member, property, budget),
    ];
  });
  if (names.length > kept.length) kept.push(['[more]', `${names.length - kept.length} more`]);
  return Object.fromEntries(kept);
}

/** Argument names are few and come again with every call. */
const isSecretName = remembered(
  5_000,
  (name: string) => name.length <= 200 && secretName.test(name.replace(camelCase, '$1_$2')),
);

export function redactText(text: string, most = forRecord.text): string {
  let clean = text.slice(0, most).replace(secretShape, redactedMark);
  if (/[:=]/.test(clean))
    clean = clean.replace(namedInText, `$1${redactedMark}`).replace(passwordInUrl, `$1${redactedMark}`);
  return text.length > most ? `${clean}… [${text.length - most} more characters]` : clean;
}
