/** Code mode: what a program sees of its caller's tools. */
import type { CodeChecker, NamespaceDeclarations } from '../../domain/code.js';
import type { CodeActs, CodeVerdict, NamespaceInfo, ToolDeclarations } from '../../domain/code-acts.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { Tool } from '../../domain/tool.js';
import { sha256 } from '../../util/hash.js';
import { suggestName } from '../../util/nearest.js';
import type { RunnableProgram } from '../../util/program/index.js';
import type { Discovery, Reach } from '../finding/index.js';
import type { TypeLearner } from './learning/type-learner.js';
import { createNamespaces, keepMembers, type Namespace, nameToolkit, withOutputs } from './namespaces.js';
import { personNamespace } from './person.js';
import { describeNamespace, printIndex, printNamespace } from './print.js';

export { createTypeLearner, type TypeLearner } from './learning/type-learner.js';
export { askName, question } from './person.js';

/** A program that was checked, with the tools that it names. */
export interface PreparedProgram extends CodeVerdict {
  /** Identifier of the namespace → identifier of the tool → model-facing name. */
  readonly tools: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Hash of the declarations that it was checked against, without learned types. */
  readonly declarations: string;
  /** Absent if there are issues. */
  readonly program?: ExecutableProgram;
}

/** What the sandbox runs of a program. */
export type ExecutableProgram = Extract<RunnableProgram, { readonly code: string }>;

/** Makes JavaScript of a program that was checked. Throws `cancelled` and `shutting_down`. */
export type CompileProgram = (code: string, signal?: AbortSignal) => Promise<RunnableProgram>;

/** Checks a program against its caller's tools. */
export type PrepareProgram = (principal: Principal, code: string, signal?: AbortSignal) => Promise<PreparedProgram>;

/** The schema of a tool's answers, as it is declared to programs; undefined: nothing is known. */
export type FindOutput = (workspaceId: string, tool: Tool) => Promise<JsonSchema | undefined>;

export interface CodeParts {
  readonly checker: CodeChecker;
  readonly compile: CompileProgram;
  readonly discovery: Pick<Discovery, 'findReach'>;
  /** Absent if types are not learned. */
  readonly learner?: Pick<TypeLearner, 'findOutputs'>;
}

/** More tools than this are listed by name only, unless the caller names namespaces. */
const maxPrinted = 200;

export interface Code extends CodeActs {
  readonly prepare: PrepareProgram;
  readonly findOutput: FindOutput;
}

export function createCode({ discovery, checker, compile, learner }: CodeParts): Code {
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
      const selected = query.only === undefined ? [...all.values()] : select(all, query.only);
      const namespaces = query.tools === undefined ? selected : keepTools(selected, query.tools);
      const format =
        query.format ?? (query.only === undefined && countTools(namespaces) > maxPrinted ? 'index' : 'full');
      if (format === 'full') return printAll(await addLearned(principal, namespaces));
      return printIndexes(namespaces, query.format === undefined);
    },
    async checkCode(principal, code, signal) {
      const { ok, issues } = await prepare(principal, code, signal);
      return { ok, issues };
    },
    prepare,
    async findOutput(workspaceId, tool) {
      const stated = tool.outputSchema ?? tool.documentedOutput;
      return stated ?? (await learner?.findOutputs(workspaceId, [tool]))?.get(tool);
    },
  };

  async function prepare(principal: Principal, code: string, signal?: AbortSignal): Promise<PreparedProgram> {
    const all = await findNamespaces(principal);
    const known = new Map([...all.values()].flatMap((one) => listIdentifiers(one).map((name) => [name, one] as const)));
    const words = new Set(code.match(/[\w$]+/g));
    const names = checker.namesIn(code);
    const named = names.flatMap((name) => {
      const namespace = known.get(name);
      return namespace === undefined ? [] : [{ ...namespace, name }];
    });
    const declared = named.map((one) => keepMembers(one, words));
    const used = await addLearned(principal, declared);
    const { namespace: person } = personNamespace;
    const namespaces: NamespaceDeclarations[] = used.map((one, at) => ({
      namespace: one.name,
      text: printNamespace(one),
      tools: listTools(named[at] ?? one),
    }));
    if (names.includes(person)) namespaces.push(personNamespace);
    const checked = { code, namespaces, known: [...known.keys(), person], ambiguous: listAmbiguous([...all.values()]) };
    const { issues } = await checker.check(checked, signal);
    const tools = Object.fromEntries(namespaces.map((one) => [one.namespace, one.tools]));
    // Without what is learned: the reads of a plan may teach a type, and must not invalidate the plan.
    const declarations = sha256(declared.map(printNamespace).join('\n'));
    if (issues.length > 0) return { ok: false, issues, tools, declarations };
    const program = await compile(code, signal);
    // Syntax that is right but cannot run, such as an enum.
    if (program.issue) return { ok: false, issues: [program.issue], tools, declarations };
    return { ok: true, issues, tools, declarations, program };
  }

  /** Learned types change more often than namespaces. */
  async function addLearned({ workspaceId }: Principal, namespaces: readonly Namespace[]): Promise<Namespace[]> {
    const tools = namespaces.flatMap(({ members }) => [...members.values()].map(({ tool }) => tool));
    const outputs = (await learner?.findOutputs(workspaceId, tools)) ?? new Map();
    return namespaces.map((one) => withOutputs(one, outputs));
  }
}

/** The namespaces with only those of their tools that have one of these model-facing names. */
function keepTools(namespaces: readonly Namespace[], names: readonly string[]): Namespace[] {
  const kept = namespaces.map((one) => ({
    ...one,
    members: new Map([...one.members].filter(([, { name }]) => names.includes(name))),
  }));
  return kept.filter(({ members }) => members.size > 0);
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

/** By identifier: the names of the tools as the caller sees them. */
const listTools = ({ members }: Namespace): Record<string, string> =>
  Object.fromEntries([...members].map(([identifier, { name }]) => [identifier, name]));

/** In the order of the namespaces. A toolkit means all of its namespaces. */
function select(all: ReadonlyMap<string, Namespace>, names: readonly string[]): Namespace[] {
  const wanted = new Set<Namespace>();
  for (const name of names) {
    const found = [...all.values()].filter((one) => listNames(one).includes(name));
    for (const one of found) wanted.add(one);
    if (found.length === 0) throw notFound(name, [...all.values()]);
  }
  return [...all.values()].filter((one) => wanted.has(one));
}

function listNames({ name, alias, toolkit, connection }: Namespace): string[] {
  return [name, alias, toolkit, connection].filter((one) => one !== undefined);
}

function notFound(name: string, all: readonly Namespace[]): HelveError {
  const holder = all.find(({ members }) => [...members].some(([own, tool]) => own === name || tool.name === name));
  const hint =
    holder === undefined
      ? suggestName(name, all.flatMap(listNames), 'Leave the names out to see all namespaces.')
      : `That is a tool of the namespace ${holder.name}: ask for ${holder.name}.`;
  return new HelveError('not_found', `You have no tools of ${JSON.stringify(name.slice(0, 100))}`, { hint });
}

const countTools = (namespaces: readonly Namespace[]): number =>
  namespaces.reduce((sum, { members }) => sum + members.size, 0);

function printAll(namespaces: readonly Namespace[]): ToolDeclarations {
  const texts = namespaces.map((one) => `${describeNamespace(one)}\n${printNamespace(one)}`);
  return { format: 'full', text: texts.join('\n\n'), namespaces: namespaces.map(toInfo) };
}

/** `isShortened`: the caller did not ask for an index. */
function printIndexes(namespaces: readonly Namespace[], isShortened: boolean): ToolDeclarations {
  const texts = namespaces.map(printIndex);
  if (isShortened)
    texts.unshift(`// ${countTools(namespaces)} tools: name toolkits, connections or namespaces to see their types`);
  return { format: 'index', text: texts.join('\n\n'), namespaces: namespaces.map(toInfo) };
}

const toInfo = ({ members, ...facts }: Namespace): NamespaceInfo => ({ ...facts, tools: members.size });
