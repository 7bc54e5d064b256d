/**
 * Names given to a model: `<slug>__create_issue`, or bare `calculate` for a tool without a connection.
 *
 * Every name matches ^[a-zA-Z][a-zA-Z0-9_-]{0,63}$ and depends only on the tool and its slug. The form does not show
 * the toolkit: the slug implies it, since a connection belongs to one toolkit. Two tools can therefore have the same
 * name only if a list mixes toolkits under one slug (or without one: give a tool of another provider's toolkit
 * without a connection its toolkit's slug). `modelNames` then gives the name to neither, so that a name never
 * silently passes from one tool to another.
 */
import { isToolAlias } from './aliases.js';
import { slugify } from './slug.js';
import { fingerprint, getKey, looksFingerprinted, readable, type ToolId } from './tool-id.js';

/** One tool in a list for a model. */
export interface ModelEntry {
  readonly id: ToolId;
  /** The connection's slug; absent for a tool without a connection. */
  readonly slug?: string | undefined;
  /** The connection's id, which distinguishes two connections if they ever share a slug. */
  readonly connectionId?: string | undefined;
}

const maxLength = 64;
const contestedLength = 24;
const slugShape = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const nameShape = /^[A-Za-z0-9_-]+$/;
const bareShape = /^[A-Za-z](?:[A-Za-z0-9-]|_(?!_))*$/;
const otherForm = /^(?:composio-|[A-Z0-9_]+$)/;

/** The name a model sees: `work-gmail__send_gmail_message`, or the bare tool name when there is no slug. */
export function toModelName(id: ToolId, slug?: string): string {
  const natural = slug === undefined ? id.name : `${slug}__${id.name}`;
  const shaped =
    slug === undefined
      ? bareShape.test(id.name) && !otherForm.test(id.name) && !isToolAlias(id.name)
      : slugShape.test(slug) && nameShape.test(id.name);
  if (shaped && natural.length <= maxLength && !looksFingerprinted(natural)) return natural;
  return withFingerprint(id, slug, fingerprint(['model', slug, id.toolkit, id.name]));
}

/** The name of a tool whose ordinary name would also belong to another tool in the list. */
export function toContestedModelName(id: ToolId, slug?: string, connectionId?: string): string {
  const mark = fingerprint(['contested', slug, connectionId, id.toolkit, id.name], contestedLength);
  return withFingerprint(id, slug, mark);
}

/**
 * The names of a whole list, each mapped to its entry, in the order of the list. All are different. An entry's name
 * does not depend on the order, nor on other entries unless they would have the same name. An entry that is passed
 * twice (same tool, slug and connection) occurs once. It may pause wherever it yields, for a list can be very long.
 */
export function* modelNames<Entry extends ModelEntry>(
  entries: Iterable<Entry>,
): Generator<undefined, Map<string, Entry>, void> {
  const seen = new Set<string>();
  const rows: { readonly entry: Entry; readonly name: string }[] = [];
  const asked = new Map<string, number>();
  for (const entry of entries) {
    const { id, slug, connectionId } = entry;
    // The lengths say where each part ends, for any content.
    const key = `${counted(slug)}${counted(connectionId)}${getKey(id)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const name = toModelName(id, slug);
    rows.push({ entry, name });
    asked.set(name, (asked.get(name) ?? 0) + 1);
    yield;
  }
  const named = new Map<string, Entry>();
  for (const { entry, name } of rows) {
    const { id, slug, connectionId } = entry;
    named.set(asked.get(name) === 1 ? name : toContestedModelName(id, slug, connectionId), entry);
    yield;
  }
  return named;
}

function counted(text: string | undefined): string {
  return text === undefined ? '-' : `${text.length}:${text}`;
}

/** As much of the name as fits, then the fingerprint; a slug of ordinary length stays whole. */
function withFingerprint(id: ToolId, slug: string | undefined, mark: string): string {
  const name = readableName(id.name);
  const prefix = slug === undefined ? name : `${slugify(slug)}__${name}`;
  return `${prefix.slice(0, maxLength - 1 - mark.length).replace(/[_-]+$/, '')}_${mark}`;
}

function readableName(name: string): string {
  return nameShape.test(name) && bareShape.test(name) ? name : readable(name, 'tool');
}

/** A model name in parts: its slug if it has one, the rest, and whether the rest ends in a fingerprint. */
export function splitModelName(form: string): { slug?: string; name: string; mark: boolean } {
  const mark = looksFingerprinted(form);
  const cut = form.indexOf('__');
  const slug = form.slice(0, Math.max(cut, 0));
  return slugShape.test(slug) ? { slug, name: form.slice(cut + 2), mark } : { name: form, mark };
}

/**
 * Whether `shortened` (without slug, with fingerprint) begins as this tool's name does: avoids most of the hashing.
 */
export function couldBeShortened(id: ToolId, shortened: string): boolean {
  return readableName(id.name).startsWith(shortened.replace(/_[0-9a-f]+$/, ''));
}
