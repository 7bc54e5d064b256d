/** Shapes that the events and inputs of several machines share. Long texts are cut, because a refused event would stop a task. */
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import { addCents } from '../../util/money.js';

const longestText = 4_000;
const longestId = 300;
const longestList = 1_000;

export const id = z.string().max(longestId);
export const text = z.string().transform((given) => given.slice(0, longestText));
export const texts = z.array(text).transform((given) => given.slice(0, 50));
export const ids = z.array(id).max(longestList);
export const json: z.ZodType<JsonValue> = z.json() as z.ZodType<JsonValue>;
export const jsonObject = z.record(z.string(), json) as z.ZodType<JsonObject>;
/** Null where nothing is known: snapshots are JSON, which has no undefined. */
export const idOrNull = id.nullable().default(null);
export const count = z.int().nonnegative();

export const usage = z.object({
  steps: count.default(0),
  tokens: count.default(0),
  cents: z.number().nonnegative().default(0),
});
export const noUsage = { steps: 0, tokens: 0, cents: 0 };
export type Usage = z.infer<typeof usage>;

export const addUsage = (to: Usage, more: Usage): Usage => ({
  steps: to.steps + more.steps,
  tokens: to.tokens + more.tokens,
  cents: addCents(to.cents, more.cents),
});

/**
 * The agent of a rule, and the person for whom it works: whoever wrote the rule. `agentId` is the agent that `agent`
 * named then.
 */
export const ruleAgent = { agentId: id.optional(), onBehalfOf: jsonObject.optional() };

/** The event for an issue that a rule assigns. */
export function assignmentBy(
  by: string,
  { agentId, onBehalfOf }: { readonly agentId?: string | undefined; readonly onBehalfOf?: JsonObject | undefined },
): JsonObject {
  return { by, ...(agentId !== undefined && { agentId }), ...(onBehalfOf !== undefined && { onBehalfOf }) };
}

/** An event without any fields besides its type. */
export const bare = z.object({});

/** The events of a machine, from their shapes: what a transition of XState sees. */
export type EventsOf<Shapes extends Readonly<Record<string, z.ZodType>>> = {
  [Type in keyof Shapes & string]: { readonly type: Type } & z.output<Shapes[Type]>;
}[keyof Shapes & string];

/** The report of an issue to its organisation and its project. */
export const issueChanged = z.object({
  issue: id,
  /** The outermost state. */
  state: z.string().max(50),
  /** While blocked: the apps that it waits for. */
  apps: z.array(id).default([]),
  /** While blocked: who refused it because of a limit. */
  limit: z.enum(['org', 'project']).nullable().default(null),
  /** The organisation's number of connection changes that it has taken into account. */
  seen: count.nullable().default(null),
});
