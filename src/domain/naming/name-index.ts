/**
 * Resolves any written form to the tool it names, over one catalogue.
 *
 * A form leads to the tool whose form it is, or to none: nothing is guessed, and a form that could mean two tools is
 * refused. Titles are optional, because in the audit form they only provide capitals.
 */
import { canonicalToolName, findDottedAlias } from './aliases.js';
import { auditToolkitKey, isNaturalPart, nameOfIdentifier, toAuditToolkit, toIdentifier } from './code-name.js';
import { legacyToComposio, toComposioName } from './composio-name.js';
import { couldBeShortened, splitModelName, toContestedModelName, toModelName } from './model-name.js';
import { getKey, type ToolId } from './tool-id.js';

/** The written forms of a tool. */
export type NameForm = 'code' | 'composio' | 'legacy' | 'audit' | 'model';

/** A tool of the catalogue. */
export interface IndexedTool extends ToolId {
  /** The toolkit's display name; accepted so that a catalogue's rows can be passed unchanged. */
  readonly title?: string | undefined;
  /**
   * Composio's own slug, if it is not the one derived from the identity. It is used only if no tool's derived form is
   * the same. Only a trusted provider may state it.
   */
  readonly composioSlug?: string | undefined;
}

export interface ParseOptions {
  /** Read the text in this form only; by default every form is tried. */
  readonly form?: NameForm | undefined;
  /**
   * Returns the toolkit of the connection with this slug. Without it a `<slug>__<name>` is resolved only if exactly
   * one tool in the catalogue matches.
   */
  readonly toolkitOfSlug?: ((slug: string) => string | undefined) | undefined;
}

export interface NameIndex {
  /** How many tools the catalogue holds. */
  readonly size: number;
  /** Whether the catalogue holds this tool. */
  has(id: ToolId): boolean;
  /** The tool that a written form names; undefined if there is none, or more than one. */
  parse(form: string, options?: ParseOptions): ToolId | undefined;
}

/** From a form to what it names; `undefined` if several tools have the form. */
type Table<Value> = Map<string, Value | undefined>;

function enter<Value>(table: Table<Value>, form: string, value: Value): void {
  table.set(form, table.has(form) ? undefined : value);
}

/** Builds the index. Tools that are passed twice count once; the order does not matter. */
export function createNameIndex(tools: Iterable<IndexedTool>): NameIndex {
  const building = buildNameIndex(tools);
  for (;;) {
    const step = building.next();
    if (step.done) return step.value;
  }
}

/** The same for very many tools: it may pause wherever it yields. */
export function* buildNameIndex(tools: Iterable<IndexedTool>): Generator<undefined, NameIndex, void> {
  const ids = new Map<string, ToolId>();
  const byToolkit = new Map<string, ToolId[]>();
  const composio: Table<ToolId> = new Map();
  const bare: Table<ToolId> = new Map();
  const stated: Table<ToolId> = new Map();
  for (const tool of tools) {
    const key = getKey(tool);
    if (ids.has(key)) continue;
    const id: ToolId = Object.freeze({ toolkit: tool.toolkit, name: tool.name });
    ids.set(key, id);
    const siblings = byToolkit.get(id.toolkit);
    if (siblings === undefined) byToolkit.set(id.toolkit, [id]);
    else siblings.push(id);
    enter(composio, toComposioName(id), id);
    enter(bare, toModelName(id), id);
    if (tool.composioSlug !== undefined) enter(stated, tool.composioSlug, id);
    yield;
  }

  const readComposio = (form: string) => (composio.has(form) ? composio.get(form) : stated.get(form));
  const readers: Record<NameForm, (form: string, options: ParseOptions) => ToolId | undefined> = {
    ...createDottedReaders(ids, byToolkit.keys()),
    composio: readComposio,
    legacy: (form) => {
      const slug = legacyToComposio(form);
      return slug === undefined ? undefined : readComposio(slug);
    },
    model: createModelReader(ids, byToolkit, bare),
  };
  const inOrder = [readers.code, readers.composio, readers.legacy, readers.audit, readers.model];
  return {
    size: ids.size,
    has: (id) => ids.has(getKey(id)),
    parse(form, options = {}) {
      if (options.form !== undefined) return readers[options.form](form, options);
      for (const read of inOrder) {
        const id = read(form, options);
        if (id !== undefined) return id;
      }
      const meant = findDottedAlias(form);
      return meant === undefined ? undefined : ids.get(getKey(meant));
    },
  };
}

/** Code and audit form share the right side of the dot, and only unusual names need a table to be resolved. */
function createDottedReaders(ids: ReadonlyMap<string, ToolId>, toolkits: Iterable<string>) {
  const inCode: Table<string> = new Map();
  const inAudit: Table<string> = new Map();
  for (const toolkit of toolkits) {
    enter(inCode, toIdentifier(toolkit, 'toolkit'), toolkit);
    const key = auditToolkitKey(toAuditToolkit(toolkit));
    if (key !== undefined) enter(inAudit, key, toolkit);
  }
  const oddNames: Table<string> = new Map();
  const odd = new Set([...ids.values()].map(({ name }) => name).filter((name) => !isNaturalPart(name)));
  for (const name of odd) enter(oddNames, toIdentifier(name, 'name'), name);

  const read = (toolkit: string | undefined, identifier: string) => {
    const name = nameOfIdentifier(identifier) ?? oddNames.get(identifier);
    return toolkit === undefined || name === undefined ? undefined : ids.get(getKey({ toolkit, name }));
  };
  return {
    code(form: string) {
      const [toolkit, identifier] = splitAtDot(form);
      return read(inCode.get(toolkit), identifier);
    },
    audit(form: string) {
      const [toolkit, identifier] = splitAtDot(form);
      return read(inAudit.get(auditToolkitKey(toolkit) ?? ''), identifier);
    },
  };
}

function splitAtDot(form: string): [toolkit: string, identifier: string] {
  const dot = form.indexOf('.');
  return dot < 0 ? ['', ''] : [form.slice(0, dot), form.slice(dot + 1)];
}

function createModelReader(
  ids: ReadonlyMap<string, ToolId>,
  byToolkit: ReadonlyMap<string, ToolId[]>,
  bare: Table<ToolId>,
) {
  const contested = lazily(() => {
    const table: Table<ToolId> = new Map();
    for (const id of ids.values()) enter(table, toContestedModelName(id), id);
    return table;
  });
  const byName = lazily(() => {
    const table: Table<ToolId> = new Map();
    for (const id of ids.values()) enter(table, id.name, id);
    return table;
  });
  return (form: string, { toolkitOfSlug }: ParseOptions): ToolId | undefined => {
    const { slug, name, mark } = splitModelName(form);
    if (slug === undefined) return bare.get(canonicalToolName(form)) ?? (mark ? contested().get(form) : undefined);
    const toolkit = toolkitOfSlug?.(slug);
    if (toolkitOfSlug !== undefined && toolkit === undefined) return undefined;
    if (!mark) return toolkit === undefined ? byName().get(name) : ids.get(getKey({ toolkit, name }));
    const candidates = toolkit === undefined ? ids.values() : (byToolkit.get(toolkit) ?? []);
    for (const id of candidates) {
      if (!couldBeShortened(id, name)) continue;
      if (toModelName(id, slug) === form || toContestedModelName(id, slug) === form) return id;
    }
    return undefined;
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
