/**
 * Learns the types of answers of tools that do not declare them. Nothing waits for this except a print of those types:
 * answers are looked at after their callers have them, one for each turn of the event loop. A failure is reported and
 * nothing else.
 */
import type { JsonObject, JsonSchema, JsonValue } from '../../../domain/json.js';
import type { LearnedType, Storage } from '../../../domain/storage.js';
import type { Tool } from '../../../domain/tool.js';
import { sha256 } from '../../../util/hash.js';
import { type LearnedShape, learnShape, mergeShapes, toSchema } from './learn-shape.js';

export interface TypeLearner {
  /** Notes an answer of a tool without an output schema. Never throws, and returns at once. */
  note(workspaceId: string, tool: Tool, answer: JsonValue): void;
  /** The schemas of those of the tools whose answers have been seen. Never throws. */
  findOutputs(workspaceId: string, tools: readonly Tool[]): Promise<ReadonlyMap<Tool, JsonSchema>>;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

interface LearnerParts {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly reportError: (error: unknown) => void;
}

/** What is known about a tool. */
interface Known {
  readonly workspaceId: string;
  readonly toolkit: string;
  readonly tool: string;
  readonly definition: string;
  learned: LearnedShape | undefined;
  /** As in the store. */
  saved: { readonly answers: number; readonly shape: string };
}

/** A toolkit of a workspace, by the names of its tools. */
interface Shelf {
  readonly types: Map<string, Known>;
  readAt: number;
}

/** Answers that wait to be looked at; others are not learned from. */
const maxWaiting = 64;
const maxWaitingOfTool = 4;
/** Toolkits in memory. */
const maxShelves = 500;
/** What another process has learned is printed after at most this time. */
const printAge = 10_000;
const learnAge = 10 * 60_000;
const flushDelay = 1_000;
/** Part of each definition's hash: raised when shapes change their form, so that old ones are dropped. */
const form = 1;

export function createTypeLearner({ storage, now, reportError }: LearnerParts): TypeLearner {
  const shelves = new Map<string, Shelf>();
  const waiting = new Map<Tool, number>();
  const changed = new Set<Known>();
  const definitions = new WeakMap<Tool, string>();
  const schemas = new WeakMap<LearnedShape, JsonSchema>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  /** One step after the other. */
  let steps = Promise.resolve();

  function inTurn(work: () => Promise<void>): Promise<void> {
    steps = steps.then(work).catch(reportError);
    return steps;
  }

  function getDefinition(tool: Tool): string {
    const known = definitions.get(tool);
    if (known !== undefined) return known;
    const { definition, description, inputSchema } = tool;
    const made = sha256(JSON.stringify([form, definition?.hash ?? [inputSchema, description]]));
    definitions.set(tool, made);
    return made;
  }

  async function getShelf(workspaceId: string, toolkit: string, maxAge: number): Promise<Shelf> {
    const key = `${workspaceId}\n${toolkit}`;
    const known = shelves.get(key);
    if (known && performance.now() - known.readAt < maxAge) return known;
    const rows = await storage.workspace(workspaceId).learnedTypes.list(toolkit);
    const shelf = known ?? { types: new Map(), readAt: 0 };
    for (const row of rows) shelf.types.set(row.tool, absorb(workspaceId, shelf.types.get(row.tool), row));
    shelf.readAt = performance.now();
    const [oldest = ''] = shelves.keys();
    if (!known && shelves.size >= maxShelves) shelves.delete(oldest);
    shelves.set(key, shelf);
    return shelf;
  }

  async function learn(workspaceId: string, tool: Tool, answer: JsonValue): Promise<void> {
    const { toolkit, name } = tool.id;
    const { types } = await getShelf(workspaceId, toolkit, learnAge);
    const definition = getDefinition(tool);
    const before = types.get(name);
    const known: Known =
      before?.definition === definition
        ? before
        : { workspaceId, toolkit, tool: name, definition, learned: undefined, saved: { answers: 0, shape: '' } };
    types.set(name, known);
    known.learned = learnShape(known.learned, answer);
    const { answers, shape } = known.saved;
    if (known.learned.answers < 2 * answers && write(known.learned) === shape) return;
    changed.add(known);
    timer ??= setTimeout(() => void inTurn(flush), flushDelay).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const all = [...changed];
    changed.clear();
    for (const known of all) await save(known).catch(reportError);
  }

  /** With what another process has written meanwhile. */
  async function save(known: Known): Promise<void> {
    const { workspaceId, toolkit, tool, definition } = known;
    const table = storage.workspace(workspaceId).learnedTypes;
    const row = await table.find(toolkit, tool);
    if (row?.definition === definition) absorb(workspaceId, known, row);
    if (!known.learned) return;
    const { answers } = known.learned;
    const shape = write(known.learned);
    await table.put(
      { toolkit, tool, definition, answers, shape: JSON.parse(shape) as JsonObject },
      now().toISOString(),
    );
    known.saved = { answers, shape };
  }

  function getSchema(learned: LearnedShape): JsonSchema {
    const schema = schemas.get(learned) ?? toSchema(learned);
    schemas.set(learned, schema);
    return schema;
  }

  return {
    note(workspaceId, tool, answer) {
      const ofTool = waiting.get(tool) ?? 0;
      if (count >= maxWaiting || ofTool >= maxWaitingOfTool) return;
      count += 1;
      waiting.set(tool, ofTool + 1);
      void inTurn(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        count -= 1;
        const left = (waiting.get(tool) ?? 1) - 1;
        if (left > 0) waiting.set(tool, left);
        else waiting.delete(tool);
        await learn(workspaceId, tool, answer);
      });
    },
    async findOutputs(workspaceId, tools) {
      const found = new Map<Tool, JsonSchema>();
      // A caller sees what its own calls have answered.
      await steps;
      try {
        for (const tool of tools) {
          if (tool.outputSchema ?? tool.documentedOutput) continue;
          const { types } = await getShelf(workspaceId, tool.id.toolkit, printAge);
          const known = types.get(tool.id.name);
          if (known?.learned && known.definition === getDefinition(tool)) found.set(tool, getSchema(known.learned));
        }
      } catch (error) {
        reportError(error);
      }
      return found;
    },
    close: () => inTurn(flush),
  };
}

const write = ({ depth, shape }: LearnedShape): string => JSON.stringify({ depth, shape });

/** What is known, with what the store has. A row with another definition is used only if nothing else is known. */
function absorb(workspaceId: string, known: Known | undefined, row: LearnedType): Known {
  const { toolkit, tool, definition, answers } = row;
  if (known && known.definition !== definition) return known;
  const stored = { ...(row.shape as unknown as Pick<LearnedShape, 'depth' | 'shape'>), answers };
  const saved = { answers, shape: write(stored) };
  if (!known?.learned) return { workspaceId, toolkit, tool, definition, learned: stored, saved };
  const unsaved = known.learned.answers - known.saved.answers;
  known.learned = mergeShapes(known.learned, stored, answers + unsaved);
  known.saved = saved;
  return known;
}
