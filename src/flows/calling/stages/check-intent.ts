/**
 * Checks the intent of a call a second time: a call that states what the person asked for is refused if the tool does something
 * else (`send a message` never creates a channel), regardless of who chose the tool and how the call came.
 */
import { isMetaTool } from '../../../domain/discovery.js';
import { HelveError } from '../../../domain/errors.js';
import { type Refusal, type ResolvedCall, refusal } from '../calls.js';
import type { PipelineParts } from '../parts.js';

const maxShown = 200;
const maxFitting = 3;

export async function checkIntent(call: ResolvedCall, parts: PipelineParts): Promise<Refusal | undefined> {
  const { request, target } = call;
  // What finds tools or runs a program does anything: the calls of the program are checked.
  if (request.intent === undefined || request.intent.trim() === '' || isMetaTool(target.tool.id)) return undefined;
  const mismatch = await parts.intentMismatch(request.intent, target.tool);
  if (mismatch === undefined) return undefined;
  const fitting = (await parts.fittingTools(request.principal, request.intent))
    .filter((name) => name !== target.name)
    .slice(0, maxFitting);
  const hint =
    fitting.length === 0
      ? 'None of your tools does what was asked: tell the person.'
      : `These tools fit: ${fitting.join(', ')}. If the person did ask for this, say so in the intent.`;
  return refusal(
    'intent.mismatch',
    new HelveError(
      'intent_mismatch',
      `${target.name} (${mismatch.does}) is not what was asked for: ${JSON.stringify(request.intent.slice(0, maxShown))}`,
      { hint, details: { asked: mismatch.asked, does: mismatch.does, fitting } },
    ),
  );
}
