/** Requests without an account: the error for each fault, and where a request may go. */
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { ServiceDefinition, ServiceRequest } from '../../domain/service.js';
import type { EgressLimits } from '../../domain/tool.js';
import { explainRefusal } from './explain-refusal.js';
import { type OpenHttp, sendPlain } from './plain-client.js';
import { plainHttp, type Reply, serve, type TestServer } from './tests/serve.js';

let server: TestServer | undefined;
afterEach(() => server?.close());

const definition: ServiceDefinition = { servers: () => ({}), explain: explainRefusal };
const signal = new AbortController().signal;
async function answered(reply: Reply, request: Partial<ServiceRequest> = {}) {
  server = await serve(() => reply);
  return sendPlain(definition, { url: server.url }, { path: '/a', ...request }, { http: plainHttp, signal });
}
const failing =
  (error: unknown): OpenHttp =>
  () => ({ fetch: () => Promise.reject(error) });

describe('faults', () => {
  it.each<[number, string, string]>([
    [400, 'GET', 'invalid_input'],
    [401, 'GET', 'forbidden'],
    [404, 'GET', 'not_found'],
    [409, 'PUT', 'conflict'],
    [500, 'GET', 'upstream_failed'],
    [500, 'PUT', 'upstream_failed'],
    [500, 'POST', 'outcome_unknown'],
    [502, 'PATCH', 'outcome_unknown'],
  ])('R-openapi: %i after %s is %s, with the API’s message', async (status, method, code) => {
    const request = { method: method as 'GET' };
    await expect(answered({ status, json: { message: 'so it is' } }, request)).rejects.toMatchObject({
      code,
      message: `so it is (${status})`,
    });
  });

  it('R-openapi: a limit has the time to wait, also after a request with effects', async () => {
    const limited = answered({ status: 429, headers: { 'retry-after': '7' }, json: {} }, { method: 'POST' });
    await expect(limited).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 7 } });
  });

  it('R-openapi: a lost answer to an effect is an unknown outcome; what was never sent is not, nor a read', async () => {
    const lost = new HelveError('timeout', 'no answer came in time');
    const never = new HelveError('upstream_failed', 'nobody there', { cause: { code: 'ECONNREFUSED' } });
    const send = (error: unknown, method: 'GET' | 'POST' | 'PUT' | 'DELETE') =>
      sendPlain(definition, { url: 'https://a.example' }, { path: '/', method }, { http: failing(error), signal });
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      await expect(send(lost, method)).rejects.toMatchObject({ code: 'outcome_unknown' });
    await expect(send(lost, 'GET')).rejects.toBe(lost);
    const cut: OpenHttp = () => ({ fetch: async () => ({ status: 200, truncated: true }) as HttpResponse });
    const long = (method: 'GET' | 'POST') =>
      sendPlain(definition, { url: 'https://a.example' }, { path: '/', method }, { http: cut, signal });
    await expect(long('POST')).rejects.toMatchObject({ code: 'outcome_unknown' });
    await expect(long('GET')).rejects.toMatchObject({ code: 'too_large' });
    await expect(send(never, 'POST')).rejects.toBe(never);
  });
});

describe('reach', () => {
  const limitsFor = async (address: { url: string; named?: boolean }): Promise<EgressLimits | undefined> => {
    let seen: EgressLimits | undefined;
    const http: OpenHttp = (limits) => {
      seen = limits;
      return { fetch: () => Promise.reject(new Error('not here')) };
    };
    await sendPlain(definition, address, { path: '/a' }, { http, signal }).catch(() => undefined);
    return seen;
  };

  it('R-openapi: only the server’s host is reached, and internal networks only if the operator named it', async () => {
    expect(await limitsFor({ url: 'https://api.example.org/v1' })).toMatchObject({
      allowedDomains: ['api.example.org'],
    });
    expect(await limitsFor({ url: 'http://127.0.0.1:81' })).not.toHaveProperty('operatorHosts');
    expect(await limitsFor({ url: 'http://127.0.0.1:81', named: true })).toMatchObject({
      operatorHosts: [{ host: '127.0.0.1', port: 81 }],
    });
  });

  it('R-openapi: an unknown server sends no request', async () => {
    await expect(sendPlain(definition, undefined, { path: '/a' }, { http: plainHttp, signal })).rejects.toMatchObject({
      code: 'invalid_config',
    });
  });
});
