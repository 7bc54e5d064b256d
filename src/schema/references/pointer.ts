/**
 * Resolves a JSON Pointer within a resource; it may lead through schemas with an `$id` of their own, or out of all
 * schemas.
 */
import { isPlainObject } from '../../util/canonical.js';
import type { Dialect } from '../dialect.js';
import { type Place, type Resource, scan } from './scan.js';

/** Undefined if there is nothing at the pointer, or something that is not a schema. */
export function placeAt(
  start: Resource,
  pointer: string,
  owners: Map<object, Resource>,
  dialectFor: (uri: string, fallback: Dialect) => Dialect,
): Place | undefined {
  let schema: unknown = start.root;
  let resource = start;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, name)) return undefined;
    schema = (schema as Record<string, unknown>)[name];
    if (isPlainObject(schema)) resource = owners.get(schema) ?? resource;
  }
  if (typeof schema === 'boolean') return { schema, resource };
  if (!isPlainObject(schema)) return undefined;
  // Under an unknown keyword: a schema only because a reference leads to it.
  if (!owners.has(schema))
    scan({
      schema,
      uri: resource.uri,
      dialect: resource.dialect,
      within: resource,
      owners,
      resources: new Map(),
      dialectFor,
    });
  return { schema, resource: owners.get(schema) ?? resource };
}
