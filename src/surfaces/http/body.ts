/** Parses the bytes of a request into a JSON value that is safe to walk. If a key occurs twice, the last one counts. */
import { HelveError } from '../../domain/errors.js';
import { parseBoundedJson } from '../../util/json-text.js';
import { HttpRefusal } from './problem.js';

/** A missing body counts as an empty object, so that validation names what is missing. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const text = await request.text();
  if (text === '') return {};
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new HttpRefusal(415, 'invalid_input', 'The body must be JSON', 'Send content-type: application/json.', {
      'accept-post': 'application/json',
    });
  }
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof HelveError) throw error;
    throw new HelveError('invalid_input', `The body is not JSON: ${(error as Error).message}`, {
      hint: 'Send one JSON document, in UTF-8.',
    });
  }
}
