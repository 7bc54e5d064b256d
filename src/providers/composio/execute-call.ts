/** One call of a tool at Composio. */
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { ServiceClient } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { readAnswer } from './answers.js';
import { type ApiRequest, type Requests, routeName } from './requests.js';
import { executed } from './shapes.js';

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
    const request = { method: 'POST', route, parts: [tool], json, repeatable, service } as const;
    const answer = await requests.json(request);
    const { successful, error, log_id: logId, data } = readExecuted(answer, request);
    const failure = successful ? undefined : (error ?? 'it did not say why');
    return { data: data ?? {}, ...defined({ failure, logId: logId ?? undefined }) };
  };
}

/** What is not an answer of Composio's does not say whether the tool had its effect. */
function readExecuted(answer: unknown, request: ApiRequest & { readonly repeatable: boolean }) {
  try {
    return readAnswer(executed, answer, { route: routeName(request) });
  } catch (thrown) {
    if (request.repeatable) throw thrown;
    const hint = 'The tool may have had its effect. Check before you call it again.';
    throw new HelveError('outcome_unknown', toHelveError(thrown).message, { hint, cause: thrown });
  }
}
