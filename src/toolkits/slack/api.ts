/**
 * Slack's Web API as its tools call it: reading methods by GET, which may be sent again; the others as forms, which all
 * of Slack's methods take. What is not plain (blocks) travels as JSON inside the form.
 */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';

type Parameters = Readonly<Record<string, string | number | boolean | readonly unknown[] | undefined>>;

export function get<Answer>(service: ServiceClient, method: string, parameters: Parameters): Promise<Answer> {
  return service.json<Answer>({ path: `/${method}`, query: Object.fromEntries(written(parameters)) });
}

export function post<Answer>(
  service: ServiceClient,
  method: string,
  parameters: Parameters,
  { repeatable = false }: { readonly repeatable?: boolean } = {},
): Promise<Answer> {
  return service.json<Answer>({ method: 'POST', path: `/${method}`, form: written(parameters), repeatable });
}

function written(parameters: Parameters): (readonly [string, string])[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const];
  });
}

export interface Paged {
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** Slack writes an empty cursor on the last page. */
export function nextCursor({ response_metadata }: Paged): string | undefined {
  return response_metadata?.next_cursor || undefined;
}

/** What Slack gave as its reason: `channel_not_found`. */
export function reasonOf(error: unknown): string | undefined {
  const reason = error instanceof HelveError ? error.details?.reason : undefined;
  return typeof reason === 'string' ? reason : undefined;
}

/** Runs an act that leaves nothing to do where it was done before: true when it was. */
export async function doneBefore(act: () => Promise<unknown>, reason: string): Promise<boolean> {
  try {
    await act();
    return false;
  } catch (error) {
    if (reasonOf(error) === reason) return true;
    throw error;
  }
}

export interface CurrentUser {
  readonly user_id: string;
  readonly user: string;
  readonly team_id: string;
  readonly team: string;
  readonly url: string;
  readonly bot_id?: string;
}
