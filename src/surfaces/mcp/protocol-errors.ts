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

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The indented list of the SDK's validator, alone or, for `tools/call`, after a few words. */
const issueList = /^(?:Invalid tools\/call request: )?(\[\n {2}\{[\s\S]*\n\])$/;

/**
 * The SDK reports a malformed request as the list of its validator. Returns an error that says in words what is wrong with
 * the first field of the list; returns any other error unchanged.
 */
export function inWords(method: string, thrown: unknown): unknown {
  const [, list] = (thrown instanceof Error && issueList.exec(thrown.message)) || [];
  if (list === undefined) return thrown;
  const [{ path, message }] = JSON.parse(list) as [Issue];
  const problem = message.endsWith('received undefined') ? 'is missing' : message;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${method}: /${path.join('/')} ${problem}`);
}
