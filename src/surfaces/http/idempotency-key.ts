/** The key under which a client may send the same request again. */
import { HelveError } from '../../domain/errors.js';

/**
 * Returns the key of the body or of the header `Idempotency-Key`; undefined: none. Throws `invalid_input` if they differ, and for an empty
 * header: its sender means to have a key, and without one the call would be made each time.
 */
export function readIdempotencyKey(inBody: string | undefined, request: Request): string | undefined {
  const inHeader = request.headers.get('idempotency-key')?.replace(/^"(.*)"$/, '$1');
  if (inHeader !== undefined && (inHeader === '' || inHeader.length > 200))
    throw new HelveError('invalid_input', `Idempotency-Key: the key ${inHeader === '' ? 'is empty' : 'is too long'}`, {
      hint: 'Send one of 1 to 200 characters, or leave the header out.',
    });
  if (inBody !== undefined && inHeader !== undefined && inBody !== inHeader)
    throw new HelveError('invalid_input', 'idempotencyKey and the header Idempotency-Key differ', {
      hint: 'Send one of them, or the same key in both.',
    });
  return inBody ?? inHeader;
}
