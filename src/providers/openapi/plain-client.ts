/** Requests without an account, for documents and operations that need none: sent once, through the egress checks. */
import type { HttpClient, HttpResponse } from '../../domain/context.js';
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import type { ServerAddress, ServiceDefinition, ServiceRequest, ServiceResponse } from '../../domain/service.js';
import type { EgressLimits } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import { mayHaveArrived } from '../../util/was-sent.js';

export type OpenHttp = (limits: EgressLimits, signal: AbortSignal) => HttpClient;

/** Sends the request and returns the response. Throws `HelveError`; `outcome_unknown` if it may have had its effect. */
export async function sendPlain(
  definition: ServiceDefinition,
  server: ServerAddress | undefined,
  request: ServiceRequest,
  { http, signal }: { readonly http: OpenHttp; readonly signal: AbortSignal },
): Promise<ServiceResponse> {
  if (!server) throw new HelveError('invalid_config', `The server ${request.server ?? 'default'} does not exist`);
  const url = new URL(server.url + request.path);
  const limits: EgressLimits = {
    allowedDomains: [url.hostname],
    timeoutMs: definition.timeoutMs ?? 30_000,
    maxBytes: definition.maxBytes ?? 10_000_000,
    ...defined({ operatorHosts: server.named ? [httpEndpoint(url)] : undefined }),
  };
  const { method = 'GET', headers = {}, body } = request;
  const client = http(limits, signal);
  const response = await onceOnly(method, async () => {
    const answer = await client.fetch({ url: url.href, method, headers, ...defined({ body }) });
    if (!answer.truncated) return asServiceResponse(answer);
    throw new HelveError('too_large', `${url.host} answered with more than ${limits.maxBytes} bytes`);
  });
  if (response.status >= 400) throw explainRefusal(definition, response, changes(method));
  return response;
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request without a response may have been carried out. */
async function onceOnly<Answer>(method: string, send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (thrown) {
    if (reads.has(method) || !(thrown instanceof HelveError) || !mayHaveArrived(thrown)) throw thrown;
    throw new HelveError('outcome_unknown', `The request was sent, but ${thrown.message}`, {
      hint: 'It may have been carried out. Check before you send it again.',
      cause: thrown,
    });
  }
}

/** Whether doing it twice has a further effect. */
const changes = (method: string): boolean => method === 'POST' || method === 'PATCH';

function asServiceResponse({ status, headers, url, body }: HttpResponse): ServiceResponse {
  const text = (): string => new TextDecoder().decode(body);
  return {
    status,
    headers,
    url,
    body,
    text,
    json: <T>() => (body.byteLength === 0 ? undefined : JSON.parse(text())) as T,
  };
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  422: 'invalid_input',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  410: 'not_found',
  409: 'conflict',
  412: 'conflict',
  429: 'rate_limited',
};

function explainRefusal({ explain }: ServiceDefinition, response: ServiceResponse, hasEffects: boolean): HelveError {
  const said = explain?.(response) ?? { message: `The service answered ${response.status}` };
  const { retryAfterSeconds } = said;
  // The service failed during its work, so it is unknown how far it came.
  if (hasEffects && response.status >= 500 && response.headers['retry-after'] === undefined) {
    const hint = 'It may have been carried out. Check before you send it again.';
    return new HelveError('outcome_unknown', said.message, { hint, details: { ...said.details } });
  }
  return new HelveError(said.code ?? codes[response.status] ?? 'upstream_failed', said.message, {
    ...defined({ hint: said.hint }),
    details: { ...said.details, ...defined({ retryAfterSeconds }) },
  });
}
