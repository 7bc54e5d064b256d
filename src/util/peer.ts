/** Loads the optional SDKs: an adapter imports its SDK at first use, and throws if it is missing. */
import { HelveError } from '../domain/errors.js';

/** Throws `invalid_config` if the package is not installed; any other error of its code passes through. */
export async function peer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    throw new HelveError('invalid_config', `This adapter needs the package ${name}, which is not installed`, {
      hint: `npm install ${name}`,
      cause,
    });
  }
}

function isMissing(cause: unknown, name: string): boolean {
  if (!(cause instanceof Error)) return false;
  const { code } = cause as NodeJS.ErrnoException;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && cause.message.includes(`'${name}'`);
}
