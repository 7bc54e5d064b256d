/** The location in `helve.yaml` of a value that does not match a schema, and the problem: `file:line: key: why`. */
import type { SchemaIssue } from '../../schema/index.js';

type Path = readonly (string | number)[];

export function placedIssue({ path, message }: SchemaIssue, above: Path, at: (path: Path) => string): string {
  const inside = path
    .split('/')
    .filter(Boolean)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const unknown = /^unknown property "(.+?)"/.exec(message)?.[1];
  return unknown === undefined
    ? `${at([...above, ...inside])}: ${message}`
    : `${at([...above, ...inside, unknown])}: no such key`;
}
