/** How errors that are nobody's answer reach the operator, where the program that runs Helve does not say otherwise. */
import { HelveError } from '../spec/errors.js';

/** Expected ones in one line: what is wrong, where, and what to do. A bug with all that is known of it. */
export function printError(error: unknown): void {
  if (!(error instanceof HelveError) || error.code === 'internal') {
    console.error(error);
    return;
  }
  const { message, hint } = error;
  console.error(
    [message.replace(/\.$/, ''), hint]
      .filter(Boolean)
      .join('. ')
      .replace(/\s*\n\s*/g, ' '),
  );
}
