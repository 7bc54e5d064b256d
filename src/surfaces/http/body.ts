/** From the bytes of a request to a JSON value that is safe to walk. Where a key is doubled the last one counts, everywhere. */
import { HelveError } from '../../spec/errors.js';
import { HttpRefusal } from './problem.js';

/** Deeper than any input a tool takes (the pipeline allows 64), shallow enough for recursion anywhere. */
const maxDepth = 100;

/** No body at all is an empty object: what is missing from it is then named. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const text = await request.text();
  if (text === '') return {};
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new HttpRefusal(415, 'invalid_input', 'The body must be JSON', 'Send content-type: application/json.', {
      'accept-post': 'application/json',
    });
  }
  refuseDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HelveError('invalid_input', `The body is not JSON: ${(error as Error).message}`, {
      hint: 'Send one JSON document, in UTF-8.',
    });
  }
}

function refuseDepth(text: string): void {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ']' || character === '}') depth--;
    else if ((character === '[' || character === '{') && ++depth > maxDepth) {
      throw new HelveError('invalid_input', `The body is nested deeper than ${maxDepth} levels at character ${index}`, {
        hint: 'Send a flatter value.',
      });
    }
  }
}
