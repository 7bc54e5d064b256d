/**
 * Classifies how a tool's definition changed since it was agreed to, by severity. Pure: the plane pins and decides.
 *
 * - `same`: only order and white space changed.
 * - `compatible`: cannot mislead a model or widen what is sent. There are only two such changes: a hint that is stated
 * or omitted with the value that applies by default, and an input that is no longer required. A model reads everything
 * else.
 * - `breaking`: previous calls may now be refused, or answers may lack what they had. Nothing new is said or asked for.
 * - `suspicious`: anything new that a model reads or is asked to send: texts, parameters, values, formats, looser
 * limits, hints, unknown keywords. An attack through a changed definition has to add one of these.
 */
import { canonicalJson, isPlainObject } from '../util/canonical.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../util/tool-definition.js';
import { visibleText } from '../util/visible-text.js';

export { type DefinedTool, definitionHash, toDefinition } from '../util/tool-definition.js';

export type ChangeClass = 'same' | 'compatible' | 'breaking' | 'suspicious';

export interface DefinitionChange {
  readonly class: ChangeClass;
  /** The most severe first; for people: hidden characters are shown, long texts are cut. */
  readonly changes: readonly string[];
}

interface Change {
  readonly class: ChangeClass;
  readonly text: string;
}

const gravity: Readonly<Record<ChangeClass, number>> = { same: 0, compatible: 1, breaking: 2, suspicious: 3 };
const maxChanges = 100;

/** Compares two definitions in the form that `toDefinition` returns. */
export function classifyChange(before: string, after: string): DefinitionChange {
  if (before === after) return { class: 'same', changes: [] };
  const changes = compareTools(JSON.parse(before), JSON.parse(after));
  changes.sort((a, b) => gravity[b.class] - gravity[a.class]);
  return {
    // The texts differ but no difference was found: not understood, so not trusted.
    class: changes[0]?.class ?? 'suspicious',
    changes: changes.slice(0, maxChanges).map((change) => `${change.class}: ${change.text}`),
  };
}

function compareTools(before: unknown, after: unknown): Change[] {
  if (!isPlainObject(before) || !isPlainObject(after)) return [changed('suspicious', '/', before, after)];
  return listKeys(before, after).flatMap((key) => {
    const path = `/${escaped(key)}`;
    const [old, now] = [own(before, key), own(after, key)];
    if (key === 'annotations') return compareHints(old, now);
    if (key !== 'inputSchema' && key !== 'outputSchema') return difference('suspicious', path, old, now);
    if (old !== undefined && now === undefined) return [changed('breaking', path, old, now)];
    if (old === undefined) return difference('suspicious', path, old, now);
    return compareSchemas(old, now, path);
  });
}

/** The protocol's defaults for hints that are not given. */
const defaultHints: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

function compareHints(before: unknown, after: unknown): Change[] {
  const [old, now] = [before ?? {}, after ?? {}];
  if (!isPlainObject(old) || !isPlainObject(now)) return difference('suspicious', '/annotations', before, after);
  return listKeys(old, now).flatMap((hint) => {
    const meaning = (value: unknown): unknown =>
      value === undefined && Object.hasOwn(defaultHints, hint) ? defaultHints[hint] : value;
    const [had, has] = [own(old, hint), own(now, hint)];
    const means = equal(meaning(had), meaning(has)) ? 'compatible' : 'suspicious';
    return difference(means, `/annotations/${escaped(hint)}`, had, has);
  });
}

function compareSchemas(before: unknown, after: unknown, path: string): Change[] {
  if (equal(before, after)) return [];
  if (!isPlainObject(before) || !isPlainObject(after)) return [changed(narrowing(before, after), path, before, after)];
  return listKeys(before, after).flatMap((keyword) =>
    compareKeyword(keyword, own(before, keyword), own(after, keyword), `${path}/${escaped(keyword)}`),
  );
}

function compareKeyword(keyword: string, before: unknown, after: unknown, path: string): Change[] {
  if (equal(before, after)) return [];
  if (schemaMapKeywords.has(keyword)) return compareMaps(before, after, path);
  if (keyword === 'required') return compareRequired(before, after, path);
  if (keyword === 'enum' || schemaListKeywords.has(keyword)) return compareLists(keyword, before, after, path);
  if (schemaKeywords.has(keyword)) return compareOptionalSchemas(before, after, path);
  if (keyword === 'type') return [changed('breaking', path, before, after)];
  const wider = looser(keyword, before, after);
  // Texts, values, formats, patterns, and unknown keywords.
  return [changed(wider === undefined || wider ? 'suspicious' : 'breaking', path, before, after)];
}

/** Absent means `true`: anything is allowed. */
function compareOptionalSchemas(before: unknown, after: unknown, path: string): Change[] {
  if (isPlainObject(before) && isPlainObject(after)) return compareSchemas(before, after, path);
  return [changed(narrowing(before ?? true, after ?? true), path, before, after)];
}

/** A change to `false` only narrows what can be sent; a schema may add text, and `true` allows anything. */
function narrowing(_before: unknown, after: unknown): ChangeClass {
  return after === false ? 'breaking' : 'suspicious';
}

function compareMaps(before: unknown, after: unknown, path: string): Change[] {
  const [old, now] = [before ?? {}, after ?? {}];
  if (!isPlainObject(old) || !isPlainObject(now)) return [changed('suspicious', path, before, after)];
  return listKeys(old, now).flatMap((name) => {
    const place = `${path}/${escaped(name)}`;
    if (!Object.hasOwn(now, name)) return [changed('breaking', place, old[name], undefined)];
    if (!Object.hasOwn(old, name)) return [changed('suspicious', place, undefined, now[name])];
    return compareSchemas(old[name], now[name], place);
  });
}

function compareRequired(before: unknown, after: unknown, path: string): Change[] {
  const [old, now] = [before ?? [], after ?? []];
  if (!Array.isArray(old) || !Array.isArray(now)) return [changed('suspicious', path, before, after)];
  const added = now.filter((name) => !old.includes(name));
  const dropped = old.filter((name) => !now.includes(name));
  // Callers may miss what an answer no longer guarantees; an input that need not be sent is no loss.
  const loss = path.startsWith('/inputSchema/') ? 'compatible' : 'breaking';
  return [
    ...(added.length === 0 ? [] : [changed('breaking', path, undefined, added)]),
    ...(dropped.length === 0 ? [] : [changed(loss, path, dropped, undefined)]),
  ];
}

function compareLists(keyword: string, before: unknown, after: unknown, path: string): Change[] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [changed('suspicious', path, before, after)];
  if (keyword === 'prefixItems') {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
      compareOptionalSchemas(before[index], after[index], `${path}/${index}`),
    ).flat();
  }
  const missing = (from: readonly unknown[], list: readonly unknown[]): unknown[] => {
    const known = new Set(list.map((member) => canonicalJson(member)));
    return from.filter((member) => !known.has(canonicalJson(member)));
  };
  const [added, dropped] = [missing(after, before), missing(before, after)];
  // Removing a member of `allOf` removes a condition on what is sent.
  const loss = keyword === 'allOf' ? 'suspicious' : 'breaking';
  return [
    ...(added.length === 0 ? [] : [changed('suspicious', path, undefined, added)]),
    ...(dropped.length === 0 ? [] : [changed(loss, path, dropped, undefined)]),
  ];
}

const upperBounds = new Set(['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties', 'maxContains']);
const lowerBounds = new Set(['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties', 'minContains']);

/** Whether more may be sent than before; undefined for keywords that are not limits. */
function looser(keyword: string, before: unknown, after: unknown): boolean | undefined {
  const sign = upperBounds.has(keyword) ? 1 : lowerBounds.has(keyword) ? -1 : undefined;
  if (sign === undefined) return undefined;
  if (typeof after !== 'number' || (before !== undefined && typeof before !== 'number')) return true;
  return before !== undefined && sign * after > sign * before;
}

function difference(means: ChangeClass, path: string, before: unknown, after: unknown): Change[] {
  return equal(before, after) ? [] : [changed(means, path, before, after)];
}

function changed(means: ChangeClass, path: string, before: unknown, after: unknown): Change {
  if (before === undefined) return { class: means, text: `${path} added: ${shown(after)}` };
  if (after === undefined) return { class: means, text: `${path} removed: ${shown(before)}` };
  return { class: means, text: `${path} changed: ${shown(before)} → ${shown(after)}` };
}

function shown(value: unknown): string {
  const text = visibleText(JSON.stringify(value));
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}

function escaped(key: string): string {
  return visibleText(key.slice(0, 100)).replaceAll('~', '~0').replaceAll('/', '~1');
}

function listKeys(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

/** An untrusted key may be `constructor`. */
function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function equal(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}
