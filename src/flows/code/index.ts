/** Code mode: what a program sees of its caller's tools. */
import type { CodeChecker, NamespaceDeclarations } from '../../domain/code.js';
import type { CodeActs, DeclarationsQuery, ToolDeclarations } from '../../domain/code-acts.js';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import { nearest } from '../../util/nearest.js';
import type { Discovery, Reach } from '../finding/index.js';
import { createNamespaces, type Namespace, nameToolkit } from './namespaces.js';
import { describeNamespace, printIndex, printNamespace } from './print.js';

export interface CodeParts {
  readonly checker: CodeChecker;
  readonly discovery: Pick<Discovery, 'findReach'>;
}

/** More tools than this are listed by name only, unless the caller names namespaces. */
const maxPrinted = 200;

export function createCode({ discovery, checker }: CodeParts): CodeActs {
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
    async checkCode(principal, code, signal) {
      const all = await findNamespaces(principal);
      const known = new Map(
        [...all.values()].flatMap((one) => listIdentifiers(one).map((name) => [name, one] as const)),
      );
      const words = new Set(code.match(/[\w$]+/g));
      const namespaces = checker.namesIn(code).flatMap((name) => {
        const namespace = known.get(name);
        return namespace === undefined ? [] : [declare(name, namespace, words)];
      });
      const program = { code, namespaces, known: [...known.keys()], ambiguous: listAmbiguous([...all.values()]) };
      const { issues } = await checker.check(program, signal);
      return { ok: issues.length === 0, issues };
    },
  };
}

/** The names under which a program has the namespace. */
const listIdentifiers = ({ name, alias }: Namespace): string[] => (alias === undefined ? [name] : [name, alias]);

/** The names of toolkits with several accounts, with the namespaces that they could mean. */
function listAmbiguous(namespaces: readonly Namespace[]): Record<string, readonly string[]> {
  const names: Record<string, string[]> = {};
  for (const { name, toolkit, connection, alias } of namespaces) {
    if (connection === undefined || alias !== undefined) continue;
    const own = nameToolkit(toolkit);
    names[own] = [...(names[own] ?? []), name];
  }
  for (const { name } of namespaces) delete names[name];
  return names;
}

/** With the members that the program may mean: those whose names are among its words. */
function declare(name: string, namespace: Namespace, words: ReadonlySet<string>): NamespaceDeclarations {
  const tools = Object.fromEntries([...namespace.members].map(([identifier, entry]) => [identifier, entry.name]));
  return { namespace: name, text: printNamespace(name, namespace, words), tools };
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
