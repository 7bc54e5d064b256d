/** One walk over a document: which resource each of its schemas belongs to, and the anchors of each resource. */
import { isPlainObject } from '../../util/canonical.js';
import type { Dialect } from '../dialect.js';
import { listSubschemas } from '../subschemas.js';
import { splitReference } from './uri.js';

export interface Resource {
  /** Without a fragment. */
  readonly uri: string;
  readonly root: unknown;
  readonly dialect: Dialect;
  readonly anchors: Map<string, { readonly schema: unknown; readonly dynamic: boolean }>;
  /** The places that references from here have led to. */
  readonly targets: Map<string, Place>;
  /** Whether its root has `$recursiveAnchor: true`. */
  readonly recursive: boolean;
}

/** A schema, and the resource that contains it. */
export interface Place {
  readonly schema: unknown;
  readonly resource: Resource;
}

export interface Scan {
  readonly schema: unknown;
  readonly uri: string;
  readonly dialect: Dialect;
  /** The resource that contains the schema, if it is not a document of its own. */
  readonly within?: Resource;
  readonly owners: Map<object, Resource>;
  readonly resources: Map<string, Resource>;
  readonly dialectFor: (uri: string, fallback: Dialect) => Dialect;
  /** Nothing in it has a name or a reference, so there is nothing to look for. */
  readonly plain?: boolean;
}

/** Returns the resource of the schema itself. */
export function scan(task: Scan): Resource {
  const { owners } = task;
  const start = task.within ?? documentResource(task);
  if (task.plain === true) return start;
  const stack: { schema: unknown; resource: Resource }[] = [{ schema: task.schema, resource: start }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema } = next;
    if (!isPlainObject(schema) || owners.has(schema)) continue;
    const resource = schema === start.root ? start : getResource(schema, next.resource, task);
    owners.set(schema, resource);
    addAnchors(schema, resource);
    for (const part of listSubschemas(schema)) stack.push({ schema: part, resource });
  }
  return (isPlainObject(task.schema) ? owners.get(task.schema) : undefined) ?? start;
}

function documentResource(task: Scan): Resource {
  const { schema, uri } = task;
  const outer = createResource(schema, uri, task);
  task.resources.set(uri, outer);
  const id = isPlainObject(schema) ? getId(schema, outer.dialect) : undefined;
  const parts = id === undefined ? undefined : splitReference(id, uri);
  if (!parts || parts.uri === uri) return outer;
  const named = createResource(schema, parts.uri, task);
  // Under both names: where it was found, and its own id.
  task.resources.set(uri, named);
  task.resources.set(parts.uri, named);
  return named;
}

function getResource(schema: Record<string, unknown>, outer: Resource, task: Scan): Resource {
  const dialect = typeof schema.$schema === 'string' ? task.dialectFor(schema.$schema, outer.dialect) : outer.dialect;
  const id = getId(schema, dialect);
  if (id === undefined || id.startsWith('#')) return outer;
  const parts = splitReference(id, outer.uri);
  if (!parts || parts.uri === outer.uri) return outer;
  const resource = createResource(schema, parts.uri, { ...task, dialect: outer.dialect });
  if (!task.resources.has(parts.uri)) task.resources.set(parts.uri, resource);
  return resource;
}

function createResource(schema: unknown, uri: string, { dialect, dialectFor }: Scan): Resource {
  const declared = isPlainObject(schema) && typeof schema.$schema === 'string' ? schema.$schema : undefined;
  const own = declared === undefined ? dialect : dialectFor(declared, dialect);
  const recursive = own.draft === '2019-09' && isPlainObject(schema) && schema.$recursiveAnchor === true;
  return { uri, root: schema, dialect: own, anchors: new Map(), targets: new Map(), recursive };
}

const isOld = (dialect: Dialect): boolean => dialect.year < 2019;

/** Up to draft-07, keywords next to a `$ref` do not count. */
function getId(schema: Record<string, unknown>, dialect: Dialect): string | undefined {
  if (isOld(dialect) && typeof schema.$ref === 'string') return undefined;
  const id = dialect.draft === 'draft-04' ? schema.id : schema.$id;
  return typeof id === 'string' ? id : undefined;
}

function addAnchors(schema: Record<string, unknown>, resource: Resource): void {
  const { dialect, anchors } = resource;
  const add = (name: unknown, dynamic: boolean): void => {
    if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, { schema, dynamic });
  };
  if (isOld(dialect)) {
    const id = getId(schema, dialect);
    const hash = id?.indexOf('#') ?? -1;
    if (id !== undefined && hash !== -1 && hash < id.length - 1) add(id.slice(hash + 1), false);
    return;
  }
  if (dialect.draft === '2020-12') add(schema.$dynamicAnchor, true);
  add(schema.$anchor, false);
}
