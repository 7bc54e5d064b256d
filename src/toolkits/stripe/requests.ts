/** How tools call Stripe. */
import type { ServiceClient } from '../../domain/service.js';
import { fillRequest } from '../../util/fill-request.js';
import { encodeForm } from './form.js';

interface Sent {
  /** `POST /v1/customers/{customer}`: inputs that the address does not name are the query or the form. */
  readonly request: string;
  readonly input: object;
  parameters?(rest: object): object;
}

/** A POST or DELETE is sent again under its idempotency key until it is answered. */
export function send<Raw extends object>(service: ServiceClient, { request, input, parameters }: Sent): Promise<Raw> {
  const { method, path, rest } = fillRequest(request, input);
  const form = encodeForm(withRange(parameters ? parameters(rest) : rest));
  return service.json<Raw>(method === 'GET' ? { path, query: Object.fromEntries(form) } : { method, path, form });
}

interface Range {
  readonly created_after?: string;
  readonly created_before?: string;
}

function withRange({ created_after, created_before, ...parameters }: Range): object {
  return { ...parameters, created: { gte: toSeconds(created_after), lte: toSeconds(created_before) } };
}

/** An ISO 8601 time as seconds since 1970. */
export function toSeconds(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(Date.parse(time) / 1_000);
}
