/** The TypeScript declarations of the caller's tools as MCP resources, for programs that are written elsewhere. */
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { McpExtras, McpResource } from './extras.js';

const index = 'helve://types';
const prefix = `${index}/`;
const mimeType = 'application/typescript';
/** With more namespaces than this, only the index is listed, which names them all. */
const maxListed = 100;

type Resources = NonNullable<McpExtras['resources']>;

/** Adds the resources `helve://types`, a line for each tool, and `helve://types/<namespace>`. */
export function withTypeResources(plane: Pick<Plane, 'toolDeclarations'>, extras: McpExtras): McpExtras {
  const given = extras.resources;
  const types: Resources = {
    async list(principal) {
      const { namespaces } = await plane.toolDeclarations(principal, { format: 'index' });
      const own = namespaces.length > maxListed ? [] : namespaces;
      return [
        { uri: index, name: 'types', title: 'All tools, a line for each', mimeType: 'text/plain' },
        ...own.map(
          ({ name, title, tools }): McpResource => ({
            uri: `${prefix}${name}`,
            name: `types/${name}`,
            title: `TypeScript declarations of ${title}`,
            description: `${tools} tools as the functions of the namespace ${name}`,
            mimeType,
          }),
        ),
        ...((await given?.list(principal)) ?? []),
      ];
    },
    async templates(principal) {
      const name = 'types';
      const title = 'TypeScript declarations of a namespace, toolkit or connection';
      return [
        { uriTemplate: `${prefix}{namespace}`, name, title, mimeType },
        ...((await given?.templates(principal)) ?? []),
      ];
    },
    async read(principal, uri) {
      if (uri === index) {
        const { text } = await plane.toolDeclarations(principal, { format: 'index' });
        return [{ uri, mimeType: 'text/plain', text }];
      }
      if (!uri.startsWith(prefix)) return given?.read(principal, uri);
      const text = await printOne(plane, principal, uri.slice(prefix.length));
      return text === undefined ? undefined : [{ uri, mimeType, text }];
    },
  };
  const { subscribe } = given ?? {};
  return { ...extras, resources: subscribe ? { ...types, subscribe: subscribe.bind(given) } : types };
}

/** Undefined if the caller has no such namespace. */
async function printOne(
  plane: Pick<Plane, 'toolDeclarations'>,
  principal: Principal,
  encoded: string,
): Promise<string | undefined> {
  try {
    return (await plane.toolDeclarations(principal, { only: [decodeURIComponent(encoded)], format: 'full' })).text;
  } catch (error) {
    if (error instanceof URIError || (error instanceof HelveError && error.code === 'not_found')) return undefined;
    throw error;
  }
}
