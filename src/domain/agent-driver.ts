/** The loop of another agent SDK as the worker of an agent: it decides when to ask and when to end, and Helve asks, calls and records. */
import type { ModelAnswer, ModelMessage, ModelToolResult } from './agent-model.js';
import type { WorkerKind } from './worker-kind.js';

/** What the loop of an SDK is given. In a replay of the run, the same questions get the same answers. */
export interface DrivenWork {
  readonly system: string;
  readonly prompt: string;
  /** The names of the tools that the agent had when the work began. An answer may name others: their results are errors. */
  readonly tools: readonly string[];
  /**
   * The model's next answer. It is recorded before this resolves, its calls have been started in order, and their ids are unique
   * in the work. Rejects when the work must end; the loop need not report that.
   */
  ask(messages: readonly ModelMessage[]): Promise<ModelAnswer>;
  /** The result of a call in an answer. The call is not repeated, however often the result is requested. */
  resultOf(callId: string): Promise<ModelToolResult>;
  /** Aborted when the work has ended, or this process stops. */
  readonly signal: AbortSignal;
}

export interface AgentDriver {
  /** Returns the text of the last answer. Throws `invalid_config` if its SDK is not installed. */
  drive(work: DrivenWork): Promise<string>;
}

export type AgentDrivers = Readonly<Record<Exclude<WorkerKind, 'helve'>, AgentDriver>>;
