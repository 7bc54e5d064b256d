/**
 * A call whose earlier attempt may have had its effect. Nothing is guessed: the call is made again only where that cannot
 * repeat the effect.
 */
import { HelveError, toHelveError } from '../../../domain/errors.js';
import type { Provider, ProviderAnswer, ProviderCall } from '../../../domain/provider.js';
import type { Idempotency, Tool } from '../../../domain/tool.js';

/** What prevents a second effect of the tool; undefined for a tool without effects. */
function findIdempotency(tool: Tool): Idempotency | undefined {
  if (!tool.hasEffects) return undefined;
  return tool.idempotency ?? { by: 'ask', how: 'The tool does not say how its effect could be recognised' };
}

/**
 * Finds the answer of the earlier attempt, or makes the call again under the same key. Throws `outcome_unknown` if only a
 * person can tell whether the effect happened. `since`: when the first attempt began.
 */
export async function recover(
  provider: Provider,
  call: ProviderCall,
  { since, now }: { readonly since: string; readonly now: Date },
): Promise<ProviderAnswer> {
  const means = findIdempotency(call.tool);
  if (means === undefined || means.by === 'repeatable') return provider.execute(call);
  if (means.by === 'key') {
    const age = (now.getTime() - Date.parse(since)) / 1_000;
    if (means.seconds === undefined || age < means.seconds) return provider.execute(call);
    throw unknown(`the service remembers keys for ${means.seconds} seconds, and the attempt is older`);
  }
  if (means.by === 'probe' && provider.probe) return (await probe(provider, call, since)) ?? provider.execute(call);
  throw unknown(means.how);
}

/** A probe that fails says nothing about the effect. */
async function probe(provider: Provider, call: ProviderCall, since: string): Promise<ProviderAnswer | undefined> {
  try {
    return await provider.probe?.(call, since);
  } catch (thrown) {
    throw unknown(`it could not be looked up: ${toHelveError(thrown).message}`);
  }
}

const unknown = (why: string): HelveError =>
  new HelveError('outcome_unknown', `The answer to this call was lost, and it may have had its effect: ${why}`, {
    hint: 'Check whether it happened, and then decide for the run.',
    details: { reason: 'in_doubt' },
  });
