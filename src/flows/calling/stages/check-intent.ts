/**
 * Checks the intent of a call a second time: a call that states what the person asked for is refused if the tool does something
 * else (`send a message` never creates a channel), regardless of who chose the tool and how the call came.
 */
import { isMetaTool } from '../../../domain/discovery.js';
import { HelveError } from '../../../domain/errors.js';
import { type Refusal, type ResolvedCall, refusal, type StageAnswer } from '../calls.js';
import type { PipelineParts } from '../parts.js';

const maxShown = 200;
const maxFitting = 3;

export function checkIntent(call: ResolvedCall, parts: PipelineParts): StageAnswer<Refusal | undefined> {
  const { intent } = call.request;
  // Tools that find tools or run programs fit any intent; the program's own calls are checked.
  if (intent === undefined || intent.trim() === '' || isMetaTool(call.target.tool.id)) return undefined;
  return compare(intent, call, parts);
}

async function compare(
  intent: string,
  { request, target }: ResolvedCall,
  parts: PipelineParts,
): Promise<Refusal | undefined> {
  const mismatch = await parts.intentMismatch(intent, target.tool);
  if (mismatch === undefined) return undefined;
  const fitting = (await parts.fittingTools(request.principal, intent))
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
      `${target.name} (${mismatch.does}) is not what was asked for: ${JSON.stringify(intent.slice(0, maxShown))}`,
      { hint, details: { asked: mismatch.asked, does: mismatch.does, fitting } },
    ),
  );
}
