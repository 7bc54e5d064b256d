/**
 * Slack's Web API: methods that read are called with GET and may be sent again, the others with POST and a form, which all
 * of Slack's methods accept. Lists and objects (blocks) are JSON inside the form.
 */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';

type Parameters = Readonly<Record<string, string | number | boolean | object | undefined>>;

export function get<Answer>(service: ServiceClient, method: string, parameters: Parameters): Promise<Answer> {
  return service.json<Answer>({ path: `/${method}`, query: Object.fromEntries(encode(parameters)) });
}

export function post<Answer>(service: ServiceClient, method: string, parameters: Parameters): Promise<Answer> {
  return service.json<Answer>({ method: 'POST', path: `/${method}`, form: encode(parameters), repeatable: false });
}

/** For methods that have no further effect when they are repeated. */
export function postRepeatable<Answer>(
  service: ServiceClient,
  method: string,
  parameters: Parameters,
): Promise<Answer> {
  return service.json<Answer>({ method: 'POST', path: `/${method}`, form: encode(parameters), repeatable: true });
}

function encode(parameters: Parameters): (readonly [string, string])[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const];
  });
}

export interface Paged {
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** On the last page Slack's cursor is empty. */
export function nextCursor({ response_metadata }: Paged): string | undefined {
  return response_metadata?.next_cursor || undefined;
}

/** Some lists have numbered pages: returns the number of the next one. */
export function nextPage(page: number, paging: { readonly page?: number; readonly pages?: number } = {}) {
  const { page: current = page, pages = current } = paging;
  return current < pages ? current + 1 : undefined;
}

/** Returns the reason that Slack gave for an error: `channel_not_found`. */
export function findReason(error: unknown): string | undefined {
  const reason = error instanceof HelveError ? error.details?.reason : undefined;
  return typeof reason === 'string' ? reason : undefined;
}

/** Runs `act`. Returns true if Slack says by `reason` that it had been done before. */
export async function wasDoneBefore(act: () => Promise<unknown>, reason: string): Promise<boolean> {
  try {
    await act();
    return false;
  } catch (error) {
    if (findReason(error) === reason) return true;
    throw error;
  }
}
