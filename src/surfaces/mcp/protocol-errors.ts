/** Translates thrown errors to protocol errors that reveal nothing internal. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';

export async function guarded<Value>(answer: () => Promise<Value>): Promise<Value> {
  try {
    return await answer();
  } catch (thrown) {
    throw toProtocolError(thrown);
  }
}

function toProtocolError(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const known = thrown instanceof HelveError && thrown.code !== 'internal' ? thrown : undefined;
  if (known === undefined) return new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  const { code, message, hint, retryable } = known;
  return new ProtocolError(ProtocolErrorCode.InternalError, message, {
    code,
    retryable,
    ...defined({ hint }),
  });
}
