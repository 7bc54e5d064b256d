/** One call of a tool at Composio. */
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { ServiceClient } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { type Fields, readFields } from './answer-fields.js';
import type { Requests } from './requests.js';

export interface ExecuteRequest {
  /** Composio's own slug: `GITHUB_CREATE_AN_ISSUE`. */
  readonly tool: string;
  readonly userId: string;
  /** Undefined for apps that need no account. */
  readonly connectedAccountId?: string | undefined;
  readonly input: JsonObject;
  /** Whether it is sent again if its response is lost: only if a repetition has no further effect. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal;
}

export interface Executed {
  readonly data: JsonValue;
  /** Why it failed, in Composio's or the app's words. */
  readonly failure?: string;
  /** The id of Composio's own log entry of the call. */
  readonly logId?: string;
}

const route = '/tools/execute/{}';

const fields: Fields = [
  ['successful', 'boolean!'],
  ['error', 'text'],
  ['log_id', 'text'],
];

export function createExecuteCall(
  requests: Requests,
  serviceFor: ((signal: AbortSignal) => ServiceClient) | undefined,
): (request: ExecuteRequest) => Promise<Executed> {
  return async ({ tool, userId, connectedAccountId, input, repeatable, signal }) => {
    const json = {
      ...defined({ connected_account_id: connectedAccountId }),
      user_id: userId,
      arguments: input,
      version: 'latest',
    };
    const service = signal && serviceFor?.(signal);
    const answer = await requests.json({ method: 'POST', route, parts: [tool], json, repeatable, service });
    const { successful, error, log_id, data } = readFields<{
      successful: boolean;
      error?: string | null;
      log_id?: string | null;
      data?: JsonValue;
    }>(answer, fields, { route: `POST ${route}`, path: '' });
    return {
      data: data ?? {},
      ...(successful ? {} : { failure: error ?? 'it did not say why' }),
      ...(log_id === undefined || log_id === null ? {} : { logId: log_id }),
    };
  };
}
