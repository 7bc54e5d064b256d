/** GraphQL as the tools speak it. Queries only read; a mutation says itself whether it may be sent twice. */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';
import { type GraphQLAnswer, wordsOf } from './explain.js';

type Variables = Readonly<Record<string, unknown>>;

export interface Linear {
  query<Data>(document: string, variables?: Variables): Promise<Data>;
  /** `once`: sending it twice would do more, or be refused though it was done. */
  mutate<Data>(document: string, variables: Variables, sending?: 'once'): Promise<Data>;
  /** What Linear could not tell in answers that were otherwise good. */
  readonly warnings: readonly string[];
}

export function createLinear(service: ServiceClient): Linear {
  const warnings: string[] = [];

  async function ask<Data>(query: string, variables: Variables, repeatable: boolean): Promise<Data> {
    const request = { method: 'POST', path: '/graphql', json: { query, variables }, repeatable } as const;
    const { data, errors = [] } = (await service.json<GraphQLAnswer | undefined>(request)) ?? {};
    if (!data) throw new HelveError('upstream_failed', 'Linear answered without data');
    for (const error of errors) warnings.push(`${error.path?.join('.') ?? 'answer'}: ${wordsOf(error)}`.slice(0, 500));
    return data as Data;
  }

  return {
    warnings,
    query: (document, variables = {}) => ask(document, variables, true),
    mutate: (document, variables, sending) => ask(document, variables, sending !== 'once'),
  };
}

export interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

export const nextCursor = ({ pageInfo }: Page<unknown>): string | undefined =>
  pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;

/** Of payloads: `success: false` comes without an error. */
export function checked<Payload extends { readonly success: boolean }>(payload: Payload): Payload {
  if (!payload.success) throw new HelveError('upstream_failed', 'Linear says that it was not done, and not why');
  return payload;
}

/** Undefined for what is not there. */
export async function unlessMissing<Value>(look: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof HelveError && error.code === 'not_found') return undefined;
    throw error;
  }
}
