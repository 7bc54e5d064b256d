/** GraphQL requests to Linear. A query only reads, so it may be sent again; a mutation says whether it may. */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient, ServiceRequest } from '../../domain/service.js';
import { findCutLists, type LinearRecord } from './define-record.js';
import { describeError, type GraphQLAnswer } from './explain.js';

type Variables = Readonly<Record<string, unknown>>;

export interface Linear {
  query<Data>(document: string, variables?: Variables): Promise<Data>;
  /**
   * `once`: sending it again would do more, or would be refused although the first one succeeded. `within_call`: it
   * creates something under an id that only this call chooses.
   */
  mutate<Data>(document: string, variables: Variables, sending?: 'once' | 'within_call'): Promise<Data>;
  /** The parts that were missing from answers that were otherwise complete. */
  readonly warnings: readonly string[];
}

export function createLinear(service: ServiceClient): Linear {
  const warnings: string[] = [];

  async function ask<Data>(
    query: string,
    variables: Variables,
    repeatable: ServiceRequest['repeatable'],
  ): Promise<Data> {
    const request = { method: 'POST', path: '/graphql', json: { query, variables }, repeatable } as const;
    const { data, errors = [] } = (await service.json<GraphQLAnswer | undefined>(request)) ?? {};
    if (!data) throw new HelveError('upstream_failed', 'Linear answered without data');
    for (const error of errors)
      warnings.push(`${error.path?.join('.') ?? 'answer'}: ${describeError(error)}`.slice(0, 500));
    for (const path of findCutLists(data)) warnings.push(`${path}: there are more than those shown`);
    return data as Data;
  }

  return {
    warnings,
    query: (document, variables = {}) => ask(document, variables, true),
    mutate<Data>(document: string, variables: Variables, sending?: 'once' | 'within_call') {
      if (sending === undefined) return ask<Data>(document, variables, true);
      return ask<Data>(document, variables, sending === 'within_call' && sending).catch(throwDoubt);
    },
  };
}

/**
 * Linear answered with a failure of its own, but may have carried out the request. Failures without an answer are
 * handled elsewhere.
 */
function throwDoubt(thrown: unknown): never {
  if (!(thrown instanceof HelveError) || thrown.code !== 'upstream_failed' || !thrown.details?.status) throw thrown;
  const hint = 'It may have taken effect. Check before you repeat it.';
  throw new HelveError('outcome_unknown', thrown.message, { hint, details: thrown.details, cause: thrown });
}

/** A page of a list: the objects in Linear's form. */
export interface Page {
  readonly nodes: readonly object[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

export const selectPage = ({ selection }: LinearRecord): string =>
  `nodes { ${selection} } pageInfo { hasNextPage endCursor }`;

export const nextCursor = ({ pageInfo }: Page): string | undefined =>
  pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;

/** Returns the payload of a mutation. Throws if it has `success: false`, which comes without an error. */
export function checkPayload<Payload extends { readonly success: boolean }>(payload: Payload): Payload {
  if (!payload.success) throw new HelveError('upstream_failed', 'Linear says that it was not done, but not why');
  return payload;
}

/** Returns undefined if the object that `look` asks for does not exist. */
export async function unlessMissing<Value>(look: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof HelveError && error.code === 'not_found') return undefined;
    throw error;
  }
}
