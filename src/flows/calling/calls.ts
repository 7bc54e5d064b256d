/** A call's states before it is authorised, and the two ways it can end. `AuthorisedCall` is made in `stages/authorise.ts`. */
import type { ErrorBody, HelveError } from '../../domain/errors.js';
import type { CallRequest } from '../../domain/execution.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { ContentBlock } from '../../domain/tool.js';
import type { NamedTool } from './parts.js';

/** A request as it is meant: what came by `call_tool` is a call of the tool that it named. */
export interface MeantCall extends CallRequest {
  /** The name of the meta-tool that it came by. */
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

/** A stage's no: recorded, then given to the caller. */
export interface Refusal {
  readonly refused: true;
  readonly rule: string;
  readonly error: HelveError;
  /** How often the tool had run by then. Default: never. */
  readonly runs?: number;
}

export function refusal(rule: string, error: HelveError): Refusal {
  return { refused: true, rule, error };
}

export type Outcome =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      readonly content?: readonly ContentBlock[];
      readonly requests?: number;
    }
  | { readonly ok: false; readonly error: ErrorBody; readonly requests?: number };
