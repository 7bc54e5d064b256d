/**
 * Rate limits: the caller's limit for every request, refused or not; those of the tool and the policies for calls that
 * would run.
 */
import { HelveError } from '../../../domain/errors.js';
import { type MeantCall, type Refusal, refusal } from '../calls.js';
import type { PipelineParts } from '../parts.js';
import { type AuthorisedCall, factsOf } from './authorise.js';

/** `parts`: those that count, or that only foresee. */
type Counting = Pick<PipelineParts, 'admitPrincipal' | 'admitCall'>;

export function admit(
  { principal }: Pick<MeantCall, 'principal'>,
  parts: Pick<Counting, 'admitPrincipal'>,
): Promise<Refusal | undefined> {
  const { workspaceId, id } = principal;
  return within(parts.admitPrincipal({ workspaceId, principalId: id }));
}

export function limit(call: AuthorisedCall, parts: Pick<Counting, 'admitCall'>): Promise<Refusal | undefined> {
  const { request, target, rateLimits } = factsOf(call);
  return within(
    parts.admitCall({
      workspaceId: request.principal.workspaceId,
      principalId: request.principal.id,
      tool: target.name,
      policies: rateLimits,
    }),
  );
}

async function within(admission: Promise<void>): Promise<Refusal | undefined> {
  try {
    await admission;
    return undefined;
  } catch (error) {
    if (error instanceof HelveError) return refusal('limit.rate', error);
    throw error;
  }
}
