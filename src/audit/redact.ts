/**
 * What the audit record may contain of arguments and results: secrets are replaced, long values cut. The hash of the
 * whole value is stored next to it, so that what ran can still be proved.
 */
import type { JsonSchema, JsonValue } from '../domain/json.js';
import { findSecretMarks, type SecretMarks } from '../schema/index.js';
import { isPlainObject } from '../util/canonical.js';
import { remembered } from '../util/remembered.js';
import { getKind, isSecret, isSecretOfKind, type NameKind } from './secret-names.js';

/** Text that is secret anywhere: our own credentials, bearer headers, JWTs, well-known key prefixes, PEM. */
const secretShape =
  /helve_(?:agent|key|link|session)_[\w-]{20,}|\bBearer\s+[\w.~+/-]{8,}=*|\bBasic\s+(?=[A-Za-z+/]*[\d=])[\w+/]{12,}={0,2}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(?:sk|pk|rk|ghp|gho|ghs|ghu|ghr|github_pat|glpat|xox[abeoprs]|A[KS]IA|AIza|ya29\.|npm_|hf_|shpat_|shpss_|dop_v1_|lin_api_|SG\.|whsec_)[\w.-]{12,}|\b(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/[\w/-]{8,}|\bbot\d{6,12}:[\w-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** A name inside a text, up to its value: JSON in an error message, a query string, a line of settings. */
const namedInText = /(?<![\w.-])(?<name>[A-Za-z_][\w.-]{0,100})["'\\]*\s*(?:=>|[:=])\s*/g;
/** What may follow it. A value in quotes may contain what ends others. */
const valueInText =
  /(?<sign>(?<quote>\\*["']))(?<value>(?:(?!\k<quote>)[^\n]){1,500})(?=\k<quote>)|(?<bareSign>["'\\]*)(?<bareValue>[^\s"'\\&,;{}[\]]{4,})/y;
/** The same in a part of an address: `token%3D…`, `%22token%22%3A%22…`. */
const encodedInText =
  /(?<=%(?:22|27|3F|26|7B|2C)|(?<![\w.%-]))(?<name>[A-Za-z_][\w.-]{0,100})(?<sign>(?:%2[27])?%3[AD](?:%2[27])?)(?<value>(?:[^\s%&"'\\<>]|%(?!2[267C]|7D)[0-9A-F]{2}){4,500})/gi;
/** `<password>…</password>`, also with a prefix and attributes. */
const elementInText =
  /<(?:[\w.-]{1,60}:)?(?<name>[A-Za-z_][\w.-]{0,100})(?<sign>(?:\s[^<>]{0,300})?>)(?<value>[^<>]{1,2000})(?=<\/)/g;
/** The whole line of a header, because its value may contain spaces. */
const headerLine = /^([ \t<>]*)([A-Za-z][\w-]{0,60})([ \t]*:[ \t]*)(?=\S)([^\n]+)$/gm;
/** `--password x`, `--token=x`. */
const option = /(?<!\S)(--?)([A-Za-z][\w-]{0,60})(\s+|=)("[^"\n]*"|'[^'\n]*'|[^\s"']+)/g;
/** Programs whose own short option takes a password. */
const shortOption =
  /(\bcurl\b[^\n|;]{0,500}?\s(?:-u|--user|--proxy-user)[ =]?|\bsshpass\s+-p\s?|\bmysql\w*\b[^\n|;]{0,300}?\s-p)("[^"\n]*"|'[^'\n]*'|[^\s"']+)/g;
/** `scheme://user:password@host`, `scheme://token@host`. */
const passwordInUrl = /(:\/\/[^\s/?#@:]*:)[^\s/?#@]+(?=@)/g;
const tokenInUrl = /(:\/\/)[^\s/?#@:]{8,}(?=@)/g;

interface Cut {
  /** Maximum characters of one text. */
  readonly text: number;
  /** Maximum items of one list; four times as many keys of one object. */
  readonly items: number;
  /** Maximum values, and maximum characters of text, in total. */
  readonly values: number;
  readonly characters: number;
}

const forRecord: Cut = { text: 2_000, items: 50, values: 2_000, characters: 100_000 };
/** The remaining budget: a value of many small parts costs as much as a long one. */
interface Budget extends Cut {
  values: number;
  characters: number;
}

const redactedMark = '[redacted]';

/** Returns a redacted copy. `schema` may mark further secrets with `writeOnly` or `format: password`. */
export function redact(value: JsonValue, schema?: JsonSchema): JsonValue {
  return redactValue(value, schema && findSecretMarks(schema), { ...forRecord });
}

/** Returns a copy without what `redact` replaces, but otherwise whole, however long it is. */
export function withoutSecrets(value: JsonValue): JsonValue {
  const whole = Number.POSITIVE_INFINITY;
  return redactValue(value, undefined, { text: whole, items: whole, values: whole, characters: whole });
}

function redactValue(value: JsonValue, marks: SecretMarks | undefined, budget: Budget): JsonValue {
  budget.values -= 1;
  if (budget.values < 0) return '[more]';
  if (marks?.isSecret && value !== null) return redactedMark;
  if (typeof value === 'string') return redactWithin(value, budget);
  if (Array.isArray(value)) {
    const kept: JsonValue[] = value
      .slice(0, budget.items)
      .map((item: JsonValue, at) =>
        followsSecretName(value, at) ? redactedMark : redactValue(item, marks?.item(at), budget),
      );
    if (value.length > budget.items) kept.push(`[${value.length - budget.items} more]`);
    return kept;
  }
  if (isPlainObject(value)) return redactObject(value as { [key: string]: JsonValue }, marks, budget);
  return value;
}

function redactWithin(text: string, budget: Budget): string {
  const most = Math.max(0, Math.min(budget.text, budget.characters));
  budget.characters -= Math.min(text.length, most);
  return redactText(text, most);
}

/** `["Authorization", "…"]`, `["--password", "…"]`, `["curl", "-u", "…"]` */
function followsSecretName(list: readonly JsonValue[], at: number): boolean {
  const before = list[at - 1];
  const value = list[at];
  if (typeof before !== 'string') return false;
  if (/^-{1,2}[A-Za-z][\w-]*$/.test(before)) {
    const user = /^(?:-u|--user|--proxy-user)$/.test(before) && list.includes('curl');
    return user || isSecret(before.replace(/^-+/, ''), value);
  }
  return list.length === 2 && isSecret(before, value);
}

/** What the name of a member says. The objects of a list have the same names, so it is found once. */
interface NameFacts {
  readonly kind: NameKind;
  readonly redacted: string;
  readonly isValueOfPair: boolean;
}

const valueOfPair = /^(?:values?|content|text|data|default|header_?value)$/i;
const longestKeptName = 100;

const readName = (name: string): NameFacts => ({
  kind: getKind(name),
  redacted: redactText(name),
  isValueOfPair: valueOfPair.test(name),
});
const readShortName = remembered(5_000, readName);

/** `{ "name": "Authorization", "value": "…" }`, with the key names that services use for such pairs. */
function namesSecretPair(value: { [key: string]: JsonValue }): boolean {
  return ['name', 'key', 'header', 'field', 'header_name', 'headerName', 'variable', 'env'].some((part) => {
    const name = Object.hasOwn(value, part) ? value[part] : undefined;
    return typeof name === 'string' && getKind(name) !== 'plain';
  });
}

function redactObject(value: { [key: string]: JsonValue }, marks: SecretMarks | undefined, budget: Budget): JsonValue {
  const names = Object.keys(value);
  const most = budget.items * 4;
  const kept: { [key: string]: JsonValue } = {};
  for (let at = 0; at < names.length && at < most; at++) {
    const name = names[at] ?? '';
    const member = value[name] ?? null;
    const facts = name.length <= longestKeptName ? readShortName(name) : readName(name);
    const secret = isSecretOfKind(facts.kind, member) || (facts.isValueOfPair && namesSecretPair(value));
    const shownName = redactName(name, facts, budget);
    const shown = secret && member !== null ? redactedMark : redactValue(member, marks?.member(name), budget);
    setMember(kept, shownName, shown);
  }
  if (names.length > most) setMember(kept, '[more]', `${names.length - most} more`);
  return kept;
}

function redactName(name: string, { redacted }: NameFacts, budget: Budget): string {
  if (name.length > Math.min(budget.text, budget.characters)) return redactWithin(name, budget);
  budget.characters -= name.length;
  return redacted;
}

/** Not by assignment alone: a member may be named `__proto__`. */
function setMember(object: { [key: string]: JsonValue }, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

export function redactText(text: string, most = forRecord.text): string {
  let clean = text.slice(0, most).replace(secretShape, redactedMark);
  if (/[:=]/.test(clean))
    clean = redactNamed(
      clean.replace(headerLine, (line: string, ...[indent, name, colon, value]: string[]) =>
        isSecretInText(name, value) ? `${indent}${name}${colon}${redactedMark}` : line,
      ),
    )
      .replace(passwordInUrl, `$1${redactedMark}`)
      .replace(tokenInUrl, `$1${redactedMark}`);
  if (/%3[ad]/i.test(clean)) clean = redactMatching(clean, encodedInText);
  if (clean.includes('</')) clean = redactMatching(clean, elementInText);
  if (/(?:^|\s)-/.test(clean))
    clean = clean
      .replace(option, (match: string, ...[dashes, name, between]: string[]) =>
        getKind(name ?? '') === 'plain' ? match : `${dashes}${name}${between}${redactedMark}`,
      )
      .replace(shortOption, `$1${redactedMark}`);
  return text.length > most ? `${clean}… [${text.length - most} more characters]` : clean;
}

/** Values in a text are strings: what looks like a number counts as one. */
function isSecretInText(name = '', value = ''): boolean {
  return isSecret(name, /^(?:\d+(?:\.\d+)?|true|false|null)$/.test(value) ? 0 : value);
}

/** A value is looked at only after a name that may be that of a secret: nearly no name is. */
function redactNamed(text: string): string {
  const finder = new RegExp(namedInText);
  let clean = '';
  let from = 0;
  for (let found = finder.exec(text); found; found = finder.exec(text)) {
    const { name = '' } = found.groups ?? {};
    if (getKind(name) === 'plain') continue;
    const reader = new RegExp(valueInText);
    reader.lastIndex = finder.lastIndex;
    const { sign, value, bareSign = '', bareValue = '' } = reader.exec(text)?.groups ?? {};
    const secret = value ?? bareValue;
    if (secret === '' || !isSecretInText(name, secret)) continue;
    const start = finder.lastIndex + (sign ?? bareSign).length;
    clean += `${text.slice(from, start)}${redactedMark}`;
    from = start + secret.length;
    finder.lastIndex = from;
  }
  return clean + text.slice(from);
}

/** The text after a plain name is searched again: it may precede a whole query. */
function redactMatching(text: string, pattern: RegExp): string {
  const finder = new RegExp(pattern);
  let clean = '';
  let from = 0;
  for (let found = finder.exec(text); found; found = finder.exec(text)) {
    const { name, value = '' } = found.groups ?? {};
    const start = finder.lastIndex - value.length;
    if (isSecretInText(name, value)) {
      clean += `${text.slice(from, start)}${redactedMark}`;
      from = finder.lastIndex;
    } else finder.lastIndex = start;
  }
  return clean + text.slice(from);
}
