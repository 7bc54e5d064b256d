/**
 * The states of a call before it is authorised, and the two ways it can end. `AuthorisedCall` is created in
 * `stages/authorise.ts`.
 */
import type { ErrorBody, HelveError } from '../../domain/errors.js';
import type { CallRequest } from '../../domain/execution.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { StageEnds } from '../../domain/stages.js';
import type { ContentBlock } from '../../domain/tool.js';
import type { NamedTool } from './parts.js';

/** The intended request: a call through `call_tool` becomes a call of the tool that it named. */
export interface MeantCall extends CallRequest {
  /** The name of the meta-tool that it came through. */
  readonly through?: string;
}

export interface ResolvedCall {
  readonly executionId: string;
  readonly request: MeantCall;
  readonly target: NamedTool;
  readonly configuration: WorkspaceConfiguration;
}

export interface ValidCall extends ResolvedCall {
  /** A private copy of what was sent: what is hashed is what runs. */
  readonly input: JsonObject;
  readonly inputHash: string;
}

/** A stage's refusal: recorded, then returned to the caller. */
export interface Refusal {
  readonly refused: true;
  readonly rule: string;
  readonly error: HelveError;
  /** How often the tool had run until then. Default: 0. */
  readonly runs?: number;
  readonly stages?: StageEnds;
}

/** Creates a refusal by the rule of this name. */
export function refusal(rule: string, error: HelveError): Refusal {
  return { refused: true, rule, error };
}

/**
 * The answer of a stage. It is not a promise if the stage has nothing to wait for, as in most calls, because promises
 * cost time and memory.
 */
export type StageAnswer<T> = T | Promise<T>;

export type Outcome =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      /** What `outputText` makes of the output. */
      readonly text: string;
      readonly content?: readonly ContentBlock[];
      readonly requests?: number;
    }
  | { readonly ok: false; readonly error: ErrorBody; readonly requests?: number };
