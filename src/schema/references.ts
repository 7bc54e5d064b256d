/**
 * Resolves the references of a schema: base URIs, `$id`, `$anchor`, `$dynamicAnchor`, `$recursiveAnchor`, JSON
 * Pointers, embedded resources, and documents passed as `remotes`. Nothing is ever fetched.
 *
 * Use: `const references = createReferences(raw, { draft, remotes })`, then `references.resolve(place, '#/$defs/x')`
 * from the place of the reference: `references.root` for the raw schema itself, `references.placeOf(subschema, place)`
 * for a subschema that was reached from `place` by keywords. A place is a schema with the resource (the `$id`) that
 * contains it; two places with the same `schema` object are the same place, so that object can be the key of a Map.
 *
 * - `resolve(place, reference)` for `$ref`: undefined if there is nothing.
 * - `resolveDynamic(place, reference, scope)` for `$dynamicRef`; `scope`: the resources entered so far, outermost
 * first.
 * - `resolveRecursive(place, reference, scope)` for `$recursiveRef` of 2019-09.
 *
 * Never throws because of a schema's content, except `invalid_input` for an unknown `$schema`. It walks with its own
 * stack, so depth and cycles of the raw object do no harm; the caller limits the size of a schema.
 */
import { isPlainObject } from '../util/canonical.js';
import { type Dialect, type Draft, getDialect, getDraft } from './dialect.js';
import { findMetaschema } from './metaschemas/index.js';
import { placeAt } from './references/pointer.js';
import { type Place, type Resource, scan } from './references/scan.js';
import { rootUri, splitReference } from './references/uri.js';

export type { Place, Resource } from './references/scan.js';

/** Other schemas by the URI of their document, or a function that finds them. */
export type Remotes =
  | Readonly<Record<string, unknown>>
  | ReadonlyMap<string, unknown>
  | ((uri: string) => unknown | undefined);

export interface ReferenceOptions {
  /** For documents without a `$schema`. */
  readonly draft?: string;
  readonly remotes?: Remotes;
  /** The caller has checked that the schema has no `$id` and no reference, which avoids a walk over the whole. */
  readonly plain?: boolean;
}

export interface References {
  readonly draft: Draft;
  readonly root: Place;
  /** Documents that references have led to so far, without metaschemas. */
  readonly documents: ReadonlyMap<string, unknown>;
  placeOf(schema: unknown, from: Place): Place;
  resolve(from: Place, reference: string): Place | undefined;
  resolveDynamic(from: Place, reference: string, scope: readonly Resource[]): Place | undefined;
  resolveRecursive(from: Place, reference: string, scope: readonly Resource[]): Place | undefined;
}

interface Store {
  readonly resources: Map<string, Resource>;
  readonly owners: Map<object, Resource>;
  readonly documents: Map<string, unknown>;
  readonly remotes: Remotes | undefined;
}

export function createReferences(raw: unknown, options: ReferenceOptions = {}): References {
  const store: Store = {
    resources: new Map(),
    owners: new Map(),
    documents: new Map(),
    remotes: options.remotes,
  };
  const fallback = getDialect(options.draft);
  const root: Place = { schema: raw, resource: admit(raw, rootUri, fallback, store, options.plain) };
  const resolve = (from: Place, reference: string): Place | undefined => {
    const known = from.resource.targets.get(reference);
    if (known) return known;
    const place = findPlace(from, reference);
    if (place) from.resource.targets.set(reference, place);
    return place;
  };
  const findPlace = (from: Place, reference: string): Place | undefined => {
    const found = locate(from.resource, reference, store);
    if (!found) return undefined;
    const { resource, fragment } = found;
    if (fragment === '' || fragment.startsWith('/')) return placeAt(resource, fragment, store.owners, dialectIn(store));
    const anchor = resource.anchors.get(fragment);
    return anchor && { schema: anchor.schema, resource: owner(store, anchor.schema, resource) };
  };
  return {
    draft: root.resource.dialect.draft,
    root,
    documents: store.documents,
    placeOf: (schema, from) => ({ schema, resource: owner(store, schema, from.resource) }),
    resolve,
    resolveDynamic: (from, reference, scope) => dynamicPlace(resolve(from, reference), reference, scope),
    resolveRecursive: (from, reference, scope) => recursivePlace(resolve(from, reference), scope),
  };
}

const owner = (store: Store, schema: unknown, fallback: Resource): Resource =>
  (isPlainObject(schema) ? store.owners.get(schema) : undefined) ?? fallback;

function admit(document: unknown, uri: string, fallback: Dialect, store: Store, plain = false): Resource {
  const { owners, resources } = store;
  return scan({ schema: document, uri, dialect: fallback, owners, resources, dialectFor: dialectIn(store), plain });
}

/** The dialect that a `$schema` names: a draft, or the caller's own metaschema with its vocabularies. */
function dialectIn(store: Store) {
  return (uri: string, fallback: Dialect): Dialect => getDraft(uri, (name) => remote(name, store.remotes), fallback);
}

function locate(from: Resource, reference: string, store: Store): { resource: Resource; fragment: string } | undefined {
  if (reference.startsWith('#')) {
    const fragment = decoded(reference.slice(1));
    return fragment === undefined ? undefined : { resource: from, fragment };
  }
  const parts = splitReference(reference, from.uri);
  const fragment = parts && decoded(parts.fragment);
  if (!parts || fragment === undefined) return undefined;
  const known = store.resources.get(parts.uri);
  if (known) return { resource: known, fragment };
  const resource = load(parts.uri, from, store);
  return resource && { resource, fragment };
}

function load(uri: string, from: Resource, store: Store): Resource | undefined {
  const own = findMetaschema(uri);
  const document = remote(uri, store.remotes) ?? own;
  if (!isPlainObject(document) && typeof document !== 'boolean') return undefined;
  const resource = admit(document, uri, from.dialect, store);
  store.resources.set(uri, resource);
  if (document !== own) store.documents.set(uri, document);
  return resource;
}

function remote(uri: string, remotes: Remotes | undefined): unknown {
  if (remotes === undefined) return undefined;
  if (typeof remotes === 'function') return remotes(uri);
  for (const name of [uri, `${uri}#`]) {
    const entry = remotes instanceof Map ? remotes.get(name) : ownEntry(remotes, name);
    const found = typeof entry === 'function' ? entry(uri) : entry;
    if (found !== undefined) return found;
  }
  return undefined;
}

const ownEntry = (remotes: object, name: string): unknown =>
  Object.hasOwn(remotes, name) ? (remotes as Record<string, unknown>)[name] : undefined;

function decoded(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** The outermost anchor of the name is meant only if the reference first leads to a dynamic anchor. */
function dynamicPlace(found: Place | undefined, reference: string, scope: readonly Resource[]): Place | undefined {
  const name = reference.slice(reference.indexOf('#') + 1);
  if (!found || name === '' || name.startsWith('/')) return found;
  const bookend = found.resource.anchors.get(name);
  if (!bookend?.dynamic || bookend.schema !== found.schema) return found;
  for (const resource of scope) {
    const anchor = resource.anchors.get(name);
    if (anchor?.dynamic) return { schema: anchor.schema, resource };
  }
  return found;
}

function recursivePlace(found: Place | undefined, scope: readonly Resource[]): Place | undefined {
  if (!found?.resource.recursive || found.schema !== found.resource.root) return found;
  const outermost = scope.find((resource) => resource.recursive);
  return outermost ? { schema: outermost.root, resource: outermost } : found;
}
