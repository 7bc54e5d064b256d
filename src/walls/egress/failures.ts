/** Converts every failure of a call to a `HelveError`. No message contains a header value, a query or user info. */
import { HelveError } from '../../domain/errors.js';

const hints = {
  domain: "The operator decides which hosts may be called: the tool's allowed_domains in helve.yaml.",
  address: 'Only public addresses may be called. The operator can open one: egress.allowed_addresses in helve.yaml.',
  name: "The operator can open it: the name in the tool's allowed_domains and its address in egress.allowed_addresses in helve.yaml.",
  port: 'Use the usual port of the service; the operator decides which ports may be called.',
  url: 'Send a plain http or https URL: no user name, control characters or backslashes before the query.',
} as const;

export const blocked = (message: string, hint: keyof typeof hints): HelveError =>
  new HelveError('egress_blocked', message, { hint: hints[hint] });

export const invalidInput = (message: string): HelveError => new HelveError('invalid_input', message);

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name server does not answer',
  EAI_FAIL: 'the name server failed',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  EADDRNOTAVAIL: 'the network cannot be reached',
  UND_ERR_SOCKET: 'the connection was closed early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another name',
};

/** For codes that share a prefix or a word; the first match counts. */
const reasonsByForm: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, 'its answer is not valid HTTP'],
  [/^(?:Z_|ERR__ERROR_|ERR_BROTLI)/, 'its body does not match its content-encoding'],
  [/CERT|TLS|SSL|SELF_SIGNED|ISSUER/, 'its TLS certificate or handshake was not accepted'],
];

const reasonFor = (code: string): string =>
  reasons[code] ?? reasonsByForm.find(([form]) => form.test(code))?.[1] ?? 'the exchange failed';

function getCode(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | undefined | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Converts an error of DNS, a socket, TLS, undici or zlib. */
export function upstreamFailed(host: string, thrown: unknown): HelveError {
  if (thrown instanceof HelveError) return thrown;
  const code = getCode(thrown);
  if (/^(?:UND_ERR_HEADERS|HPE_HEADER)_OVERFLOW$/.test(code)) {
    return new HelveError('too_large', `The response headers of ${host} are larger than allowed`, { cause: thrown });
  }
  const suffix = code === '' ? '' : ` (${code})`;
  return new HelveError('upstream_failed', `${host}: ${reasonFor(code)}${suffix}`, { cause: thrown });
}
