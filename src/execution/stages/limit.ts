/** How often: the caller's, the tool's and the matching policies' own limits. */
import { HelveError } from '../../spec/errors.js';
import { type Refusal, refusal } from '../calls.js';
import type { PipelineParts } from '../parts.js';
import { type AuthorisedCall, factsOf } from './authorise.js';

export async function limit(call: AuthorisedCall, parts: PipelineParts): Promise<Refusal | undefined> {
  const { request, target, rateLimits } = factsOf(call);
  try {
    await parts.admitCall({
      workspaceId: request.principal.workspaceId,
      principalId: request.principal.id,
      tool: target.name,
      policies: rateLimits,
    });
    return undefined;
  } catch (error) {
    if (error instanceof HelveError) return refusal('limit.rate', error);
    throw error;
  }
}
