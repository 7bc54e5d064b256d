/** Translates Stripe's refusals: which parameter was wrong, why a card was declined, whether to try again. */
import type { ErrorCode } from '../../domain/errors.js';
import type { Explained, ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';

interface RawError {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly message?: string;
  readonly decline_code?: string;
  readonly doc_url?: string;
  /** Of a payment that failed: it is there, and can be paid in another way. */
  readonly payment_intent?: { readonly id?: string };
}

/** Codes for a request that the current state does not allow. */
const conflicts = new Set([
  'resource_already_exists',
  'idempotency_error',
  'payment_intent_unexpected_state',
  'intent_invalid_state',
  'charge_already_captured',
  'charge_already_refunded',
  'charge_disputed',
  'charge_expired_for_capture',
  'invoice_not_editable',
  'invoice_no_customer_line_items',
  'balance_insufficient',
  'lookup_key_taken',
]);

/** Codes for a request that was not carried out because another one uses the object or the key. */
const busy = new Set(['lock_timeout', 'idempotency_key_in_use', 'rate_limit']);

export function explain(response: ServiceResponse): Explained | undefined {
  if (response.status < 400) return undefined;
  const error = readError(response);
  // A proxy's page: only the status is known.
  if (error === undefined) return undefined;
  const message = `Stripe refused: ${(error.message ?? error.code ?? `status ${response.status}`).slice(0, 2_000)}`;
  const details = readDetails(response, error);
  if (response.status === 401) return { message, details, hint: 'Connect the account again.', tokenRefused: true };
  if (response.status >= 500) return { code: 'upstream_failed', message, details };
  const code = chooseCode(response, error);
  const hint = hintFor(code, error);
  return { code, message, details, ...defined({ hint }) };
}

function readError(response: ServiceResponse): RawError | undefined {
  try {
    const { error } = JSON.parse(response.text()) as { readonly error?: RawError };
    return typeof error === 'object' && error !== null ? error : undefined;
  } catch {
    return undefined;
  }
}

function readDetails({ status, headers }: ServiceResponse, error: RawError) {
  const { type, code, param, decline_code, doc_url } = error;
  const made = { payment_intent: error.payment_intent?.id, request_id: headers['request-id'] };
  const said = { type, code, param, decline_code, doc_url, ...made };
  return { status, ...Object.fromEntries(Object.entries(said).filter(([, value]) => typeof value === 'string')) };
}

function chooseCode({ status, headers }: ServiceResponse, { type, code = '' }: RawError): ErrorCode {
  // A request with the result `rate_limited` is sent again with the same key. Stripe's header takes precedence over its
  // codes.
  if (headers['stripe-should-retry'] === 'true' || status === 429 || busy.has(code)) return 'rate_limited';
  if (status === 409 || type === 'idempotency_error' || conflicts.has(code)) return 'conflict';
  if (status === 404 || code === 'resource_missing') return 'not_found';
  return status === 403 ? 'forbidden' : 'invalid_input';
}

function hintFor(code: ErrorCode, error: RawError): string | undefined {
  const at = error.param === undefined ? '' : `Check ${error.param}. `;
  switch (code) {
    case 'not_found':
      return `${at}Ids of test mode do not exist in live mode, nor those of another account.`;
    case 'forbidden':
      return 'The key was made without this permission: the operator grants it in the Stripe Dashboard.';
    case 'conflict':
      return error.type === 'idempotency_error'
        ? 'Check whether the first request was carried out before you make another.'
        : `${at}Read the object again: its state does not allow this.`;
    case 'rate_limited':
      return error.code === 'lock_timeout' ? 'Another request holds this object: try again in a moment.' : undefined;
    default:
      if (error.type === 'card_error') {
        return 'The bank or the card refused. Another payment method is needed; do not try the same one again and again.';
      }
      return at === '' ? undefined : at.trim();
  }
}
