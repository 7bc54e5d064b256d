/** The metaschemas of the drafts by URI. Every schema can refer to them without passing them in. */
import { metaschemas201909 } from './2019-09.js';
import { metaschemas202012 } from './2020-12.js';
import { metaschemasDraft4 } from './draft-04.js';
import { metaschemasDraft6 } from './draft-06.js';
import { metaschemasDraft7 } from './draft-07.js';

const texts: ReadonlyMap<string, string> = new Map([
  ...metaschemasDraft4,
  ...metaschemasDraft6,
  ...metaschemasDraft7,
  ...metaschemas201909,
  ...metaschemas202012,
]);
const parsed = new Map<string, unknown>();

/** Takes a `uri` without a fragment. */
export function findMetaschema(uri: string): unknown {
  const text = texts.get(uri);
  if (text === undefined) return undefined;
  const schema = parsed.get(uri) ?? JSON.parse(text);
  parsed.set(uri, schema);
  return schema;
}
