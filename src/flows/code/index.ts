/** Code mode: what a program sees of its caller's tools. */
import type { CodeActs, DeclarationsQuery, ToolDeclarations } from '../../domain/code-acts.js';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import { nearest } from '../../util/nearest.js';
import type { Discovery, Reach } from '../finding/index.js';
import { createNamespaces, type Namespace } from './namespaces.js';
import { describeNamespace, printIndex, printNamespace } from './print.js';

export interface CodeParts {
  readonly discovery: Pick<Discovery, 'findReach'>;
}

/** More tools than this are listed by name only, unless the caller names namespaces. */
const maxPrinted = 200;

export function createCode({ discovery }: CodeParts): CodeActs {
  const kept = new WeakMap<Reach, Map<string, Namespace>>();

  async function findNamespaces(principal: Principal): Promise<Map<string, Namespace>> {
    const reach = await discovery.findReach(principal);
    const known = kept.get(reach);
    if (known) return known;
    const made = createNamespaces(reach);
    kept.set(reach, made);
    return made;
  }

  return {
    async toolDeclarations(principal, query) {
      const all = await findNamespaces(principal);
      return print(query.only === undefined ? [...all.values()] : select(all, query.only), query);
    },
  };
}

/** In the order of the namespaces. A toolkit means all of its namespaces. */
function select(all: ReadonlyMap<string, Namespace>, names: readonly string[]): Namespace[] {
  const wanted = new Set<Namespace>();
  for (const name of names) {
    const found = [...all.values()].filter((one) => listNames(one).includes(name));
    for (const one of found) wanted.add(one);
    if (found.length === 0) throw notFound(name, [...all.values()].flatMap(listNames));
  }
  return [...all.values()].filter((one) => wanted.has(one));
}

function listNames({ name, alias, toolkit, connection }: Namespace): string[] {
  return [name, alias, toolkit, connection].filter((one) => one !== undefined);
}

function notFound(name: string, known: readonly string[]): HelveError {
  const meant = nearest(name, known);
  const hint = meant === undefined ? 'Leave the names out to see all namespaces.' : `Did you mean ${meant}?`;
  return new HelveError('not_found', `You have no tools of ${JSON.stringify(name.slice(0, 100))}`, { hint });
}

function print(namespaces: readonly Namespace[], { only, format }: DeclarationsQuery): ToolDeclarations {
  const size = namespaces.reduce((sum, { members }) => sum + members.size, 0);
  const as = format ?? (only === undefined && size > maxPrinted ? 'index' : 'full');
  const texts = namespaces.map((one) =>
    as === 'index' ? printIndex(one) : `${describeNamespace(one)}\n${printNamespace(one.name, one)}`,
  );
  if (format === undefined && as === 'index')
    texts.unshift(`// ${size} tools: name toolkits, connections or namespaces to see their types`);
  return {
    format: as,
    text: texts.join('\n\n'),
    namespaces: namespaces.map(({ members, ...facts }) => ({ ...facts, tools: members.size })),
  };
}
