/**
 * Merges several objects into one: each property gets what all of them say about it. An object that does not name a
 * property still constrains it unless it is open. All are merged together, so that hundreds of objects take time
 * proportional to their properties.
 */
import { type Node, never, type ObjectNode, type PropertyNode, unknown, withDocs, withoutDocs } from './node.js';

/**
 * Beyond these limits the objects stay side by side: depth, and properties times objects that constrain all of them.
 */
const maxDepth = 30;
const maxStatements = 20_000;

type Meet = (nodes: readonly Node[], depth: number) => Node;

/**
 * Returns no node or one node, or the objects unchanged if they cannot be merged. `meet` intersects what they say about
 * a property.
 */
export function mergeObjects(objects: readonly ObjectNode[], depth: number, meet: Meet): readonly Node[] {
  const [first, ...more] = objects;
  if (first === undefined || more.length === 0) return objects;
  const speaking = objects.filter((object) => object.rest?.kind !== 'unknown' || object.prefixes.length > 0);
  const names = new Set(objects.flatMap((object) => [...object.properties.keys()]));
  if (depth > maxDepth || names.size * speaking.length > maxStatements || !prefixesAllow(objects, names))
    return objects;
  const properties = new Map<string, PropertyNode>();
  const said = gather(objects);
  for (const name of names) {
    const own = said.get(name) ?? [];
    const others = speaking.filter((object) => !object.properties.has(name)).map((object) => restFor(object, name));
    const node = meet([...own.map((property) => property.node), ...others], depth + 1);
    const required = own.some((property) => property.required);
    if (required && node.kind === 'never') return [never];
    properties.set(name, { node, required });
  }
  const docs = [...new Set(objects.map((object) => object.docs).filter((words) => words !== undefined))].join('\n');
  const closed = speaking.some((object) => object.rest === undefined);
  const rest = closed
    ? undefined
    : meet(
        objects.map((object) => object.rest ?? never),
        depth + 1,
      );
  const prefixes = getPrefixes(objects, depth, meet);
  const isSilent = objects.every((object) => object.isSilent);
  return [withDocs({ kind: 'object', properties, rest, isSilent, prefixes }, docs || undefined)];
}

function gather(objects: readonly ObjectNode[]): Map<string, PropertyNode[]> {
  const said = new Map<string, PropertyNode[]>();
  for (const { properties } of objects) {
    for (const [name, property] of properties) {
      const known = said.get(name);
      if (known) known.push(property);
      else said.set(name, [property]);
    }
  }
  return said;
}

/** What the object allows in a property that it does not name, without what is said about all of those. */
function restFor(object: ObjectNode, name: string): Node {
  const prefixed = object.prefixes.find(([prefix]) => name.startsWith(prefix));
  return withoutDocs(prefixed?.[1] ?? object.rest ?? never);
}

/** Only one of them may have prefixes, and none may name a property that starts with one. */
function prefixesAllow(objects: readonly ObjectNode[], names: ReadonlySet<string>): boolean {
  const [only, ...more] = objects.filter((object) => object.prefixes.length > 0);
  if (only === undefined) return true;
  if (more.length > 0) return false;
  return ![...names].some((name) => only.prefixes.some(([prefix]) => name.startsWith(prefix)));
}

function getPrefixes(objects: readonly ObjectNode[], depth: number, meet: Meet): ObjectNode['prefixes'] {
  const holder = objects.find((object) => object.prefixes.length > 0);
  const others = objects.filter((object) => object !== holder);
  if (!holder || others.some((object) => object.rest === undefined)) return [];
  return holder.prefixes.map(([prefix, node]) => {
    const rests = others.map((object) => withoutDocs(object.rest ?? unknown));
    return [prefix, meet([node, ...rests], depth + 1)] as const;
  });
}
