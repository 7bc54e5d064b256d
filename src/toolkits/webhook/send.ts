/**
 * Sends one webhook: checks its destination, builds its content, and explains a missing answer.
 *
 * It is sent only once. A receiver that was reached but did not answer may have acted, so the error is
 * `outcome_unknown`, which does not invite a retry; a webhook that certainly was not sent keeps its own error.
 */
import type { HttpResponse, ToolContext } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import { mayHaveArrived } from '../../util/was-sent.js';
import { signWebhook, type WebhookHeader } from '../../util/webhook-signature.js';
import type { WebhookConfig, WebhookSettings } from './shapes.js';
import { findHost, matchesUrl, parseUrlPattern, readUrl, type UrlPattern } from './url-pattern.js';

type Context = ToolContext<WebhookConfig, WebhookSettings>;

/** All other headers are set by the wall, the signature or the operator. */
const freeHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'idempotency-key',
  'traceparent',
  'tracestate',
  'x-correlation-id',
  'x-request-id',
]);

export function allowedUrl(raw: string, { allowed_urls }: WebhookConfig): URL {
  const url = readUrl(raw);
  const patterns = allowed_urls.map((text) => pattern(text, 'allowed_urls of the tool_config of webhook'));
  if (patterns.some((one) => matchesUrl(one, url))) return url;
  // Only hosts are named, because the paths of webhooks are often secret.
  const hosts = [...new Set(patterns.map(({ scheme, host }) => `${scheme}//${host}`))];
  throw new HelveError('egress_blocked', `${url.origin}${url.pathname} is not on the list of allowed URLs`, {
    hint:
      hosts.length === 0
        ? 'No URL is allowed. The operator lists them: allowed_urls in the tool_config of webhook.'
        : `Some URLs of these hosts are allowed: ${hosts.slice(0, 20).join(', ')}.`,
  });
}

/** For the egress wall, which checks every hop against them. */
export const allowedHosts = ({ allowed_urls }: WebhookConfig): string[] => [
  ...new Set(allowed_urls.map((text) => findHost(pattern(text, 'allowed_urls of the tool_config of webhook')))),
];

export function checkedHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const checked = new Map<string, string>();
  for (const [field, value] of Object.entries(headers)) {
    const name = field.toLowerCase();
    if (!freeHeaders.has(name) || checked.has(name)) {
      throw new HelveError('invalid_input', `headers: ${JSON.stringify(field)} cannot be set`, {
        hint: `These can: ${[...freeHeaders].join(', ')}.`,
      });
    }
    if (!/^[\x20-\x7e]{0,1000}$/.test(value)) {
      throw new HelveError('invalid_input', `headers: the value of ${name} is not one line of ASCII text`);
    }
    checked.set(name, value);
  }
  return Object.fromEntries(checked);
}

export function buildBody(payload: unknown, { max_bytes }: WebhookConfig): string {
  const body = JSON.stringify(payload);
  const size = Buffer.byteLength(body);
  if (size > max_bytes)
    throw new HelveError('too_large', `The payload has ${size} bytes as JSON; at most ${max_bytes} may be sent`);
  return body;
}

/**
 * Returns the first secret of the settings whose pattern matches, in the order written, else `default`. Without one,
 * the webhook is not signed.
 */
export function signatureHeaders(
  url: URL,
  body: string,
  { effectKey, settings }: Context,
): Record<'webhook-id', string> & Partial<Record<WebhookHeader, string>> {
  const { default: fallback, ...byPattern } = settings.signing_secrets;
  const place = 'toolkits.webhook.signing_secrets in helve.yaml';
  const matching = Object.entries(byPattern).filter(([text]) => matchesUrl(pattern(text, place), url));
  const secrets = matching[0]?.[1] ?? fallback;
  const message = { id: `msg_${effectKey}`, timestamp: Math.floor(Date.now() / 1_000), body };
  if (secrets !== undefined) return signWebhook(secrets, message);
  return { 'webhook-id': message.id, 'webhook-timestamp': String(message.timestamp) };
}

export async function sendOnce(
  request: { url: URL; method: string; headers: Record<string, string>; body: string },
  { http, effectKey }: Context,
): Promise<HttpResponse> {
  try {
    return await http.fetch({ ...request, url: request.url.href });
  } catch (thrown) {
    if (!(thrown instanceof HelveError) || !mayHaveArrived(thrown)) throw thrown;
    throw new HelveError('outcome_unknown', `The webhook was sent, but ${thrown.message}`, {
      hint: `It may have been received. Ask the receiver before you send it again; its webhook-id is msg_${effectKey}.`,
      cause: thrown,
    });
  }
}

function pattern(text: string, place: string): UrlPattern {
  const parsed = parseUrlPattern(text);
  if (parsed) return parsed;
  throw new HelveError('invalid_config', `${place}: ${JSON.stringify(text)} is not a URL pattern`, {
    hint: 'Write https://host/path, with /* at the end for all below, * for one segment, *.example.com for subdomains.',
  });
}
