/**
 * Sends a request through the wall, hop by hop, within one deadline and one size limit.
 *
 * Sockets are kept alive and shared only by the calls of one egress: each was checked against exactly this policy.
 */
import type { Agent, Dispatcher } from 'undici';
import { HelveError } from '../../domain/errors.js';
import { decodeText, readBody, readCodings, tooLarge } from './body.js';
import { createConnector } from './connector.js';
import { createDeadline, type Deadline } from './deadline.js';
import { upstreamFailed } from './failures.js';
import { parseTarget } from './guard.js';
import { responseHeaders } from './headers.js';
import { type ResolvedPolicy, resolvePolicy } from './policy.js';
import { createRedirectTrail, type Hop, isRedirect } from './redirects.js';
import { type Call, getLimits, readCall } from './request.js';
import type { Egress, EgressPolicy, EgressResponse } from './types.js';

type Input = Parameters<Egress['fetch']>[0];

/** As for the `fetch` of the platform. */
const usualHeadersMs = 300_000;

/** Creates an egress for this policy. Throws `invalid_config` for a policy that cannot be honoured. */
export function createEgress(policy: EgressPolicy = {}): Egress {
  const rules = resolvePolicy(policy);
  let agent: Promise<Agent> | undefined;
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  return Object.freeze({
    async fetch(input: Input) {
      if (closed) throw new HelveError('shutting_down', 'This egress is closed');
      agent ??= createAgent(rules);
      const call = agent.then((opened) => exchange(rules, opened, input));
      underWay.add(call);
      try {
        return await call;
      } finally {
        underWay.delete(call);
      }
    },
    async stream(url: string | URL, init: RequestInit = {}, headersTimeout = usualHeadersMs) {
      if (closed) throw new HelveError('shutting_down', 'This egress is closed');
      const target = parseTarget(rules, String(url));
      agent ??= createAgent(rules);
      const { fetch } = await import('undici');
      const dispatcher = (await agent).compose(
        (dispatch) => (options, handler) => dispatch({ ...options, headersTimeout }, handler),
      );
      const answer = await fetch(target, { ...(init as object), redirect: 'manual', dispatcher });
      return answer as unknown as Response;
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
      await agent?.then((opened) => opened.destroy());
    },
  });
}

/** undici is loaded at the first request: most processes never send one, and it is a tenth of a start. */
async function createAgent(rules: ResolvedPolicy): Promise<Agent> {
  const { Agent } = await import('undici');
  // The deadline covers headers and body, so undici's own timers are off.
  return new Agent({
    connect: createConnector(rules),
    maxHeaderSize: rules.maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Follows redirects until the final response or the deadline. */
async function exchange(rules: ResolvedPolicy, agent: Agent, input: Input): Promise<EgressResponse> {
  const limits = getLimits(rules, input);
  const deadline = createDeadline(limits.timeoutMs, limits.signal);
  try {
    const call = await deadline.race(readCall(rules, input));
    const trail = createRedirectTrail(rules, call.redirect === 'error' ? 'error' : 'follow');
    let hop = call.hop;
    for (;;) {
      const answer = await send(agent, hop, deadline);
      // Destroying a body that is not being read emits an error.
      answer.body.on('error', () => undefined);
      const headers = responseHeaders(answer.headers);
      const { location } = headers;
      if (call.redirect === 'manual' || !isRedirect(answer.statusCode, location)) {
        return await finished(call, hop, trail.urls, answer, headers);
      }
      answer.body.destroy();
      hop = trail.follow(hop, answer.statusCode, location);
    }
  } catch (thrown) {
    throw deadline.signal.aborted ? deadline.signal.reason : thrown;
  } finally {
    deadline.clear();
  }
}

async function send(agent: Agent, hop: Hop, deadline: Deadline): Promise<Dispatcher.ResponseData> {
  try {
    return await agent.request({
      origin: hop.url.origin,
      path: `${hop.url.pathname}${hop.url.search}`,
      method: hop.method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(hop.headers),
      body: hop.body ?? null,
      signal: deadline.signal,
    });
  } catch (thrown) {
    throw upstreamFailed(hop.url.hostname, thrown);
  }
}

async function finished(
  call: Call,
  hop: Hop,
  redirects: readonly string[],
  answer: Dispatcher.ResponseData,
  headers: Record<string, string>,
): Promise<EgressResponse> {
  const { statusCode: status, statusText } = answer;
  const read = await buildBody(call, hop, answer, headers);
  return Object.freeze({
    status,
    statusText,
    headers: Object.freeze(headers),
    url: hop.url.href,
    redirects: Object.freeze([...redirects]),
    ...read,
    text: () => decodeText(read, headers['content-type']),
  });
}

/** Reads the body; removes from `headers` what only described the compressed bytes. */
async function buildBody(call: Call, hop: Hop, answer: Dispatcher.ResponseData, headers: Record<string, string>) {
  try {
    const isBodiless = hop.method === 'HEAD' || answer.statusCode === 204 || answer.statusCode === 304;
    const codings = isBodiless ? [] : readCodings(headers['content-encoding']);
    if (!isBodiless && codings.length === 0 && !call.truncate && Number(headers['content-length']) > call.maxBytes) {
      throw tooLarge(call);
    }
    const read = await readBody(answer.body, codings, call);
    if (codings.length > 0) {
      delete headers['content-encoding'];
      delete headers['content-length'];
    }
    return read;
  } catch (thrown) {
    answer.body.destroy();
    throw upstreamFailed(hop.url.hostname, thrown);
  }
}
