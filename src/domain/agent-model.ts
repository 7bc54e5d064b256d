/** A model that works with tools: what an agent's loop asks it, and what it answers. Everything is JSON. */

import type { JsonObject, JsonSchema, JsonValue } from './json.js';
import type { TakenRecipe } from './recipe.js';
import type { WorkerKind } from './worker-kind.js';

export interface ModelToolCall {
  /** As the model named it; unique within its answer. */
  readonly id: string;
  /** The tool's model-facing name. */
  readonly name: string;
  /** An object, unless the model wrote something else. */
  readonly input: JsonValue;
}

export interface ModelToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError?: true;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ModelQuestion {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxTokens: number;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  /** What the model charged for; 0 if it did not say. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What it cost, in cents of a US dollar; absent if the model has no price, or did not say how many tokens it used. */
  readonly cents?: number;
  /** `length`: it was cut off at `maxTokens`. */
  readonly finish: 'stop' | 'tools' | 'length' | 'other';
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** For tokens that the provider had in its cache. Default: `input`. */
  readonly cached?: number | undefined;
}

export interface AgentModel {
  /** Its name in the record. */
  readonly id: string;
  /** Absent: the cost of its answers is unknown. */
  readonly price?: ModelPrice;
  /** Throws `upstream_failed`, `timeout` or `rate_limited`; aborted with the signal. */
  answer(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
}

/** What an agent is to do, without any decision that a replay could make differently. */
export interface AgentWork {
  readonly system: string;
  readonly prompt: string;
  /** Number of the attempt at the issue, from 1. */
  readonly attempt: number;
  /** Maximum number of answers of the model. */
  readonly maxSteps: number;
  /** Maximum number of tokens, read and written, over all answers. */
  readonly maxTokens?: number;
  /** Maximum cost of all answers, in cents of a US dollar. */
  readonly maxCents?: number;
  /** What its organisation had left in the billing period when the attempt began. Absent: no limit. */
  readonly left?: { readonly tokens?: number; readonly cents?: number };
  /** Whose loop works. Default `helve`. */
  readonly worker?: WorkerKind;
  /** Whether the loop waits while one of its programs waits for a person. Absent in work that began before this option existed. */
  readonly waitsWithPrograms?: true;
  /** The steps that the loop follows in their order, each with its tools. */
  readonly recipe?: TakenRecipe;
  /** What the result must be. Absent: the text of the last answer. */
  readonly outputSchema?: JsonObject;
}

/** What an agent's loop returned. */
export interface AgentResult {
  readonly text: string;
  /** What was submitted, if the work has an output schema. */
  readonly output?: JsonValue;
  readonly steps: number;
  readonly tokens: number;
}
