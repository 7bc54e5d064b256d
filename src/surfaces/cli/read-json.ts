/** JSON that a person writes on the command line. */
import { HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';

/**
 * Parses JSON.
 * @param what the arguments or the option that it is: `The arguments`, `--output`
 * @param example a command line with JSON as it should be quoted
 * @throws `invalid_input` that says where the JSON breaks, and what to do
 */
export function readJson(text: string, what: string, example: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const file = /^@(.+)/s.exec(text)?.[1];
    const problem =
      file === undefined ? describe(text, (error as Error).message) : `${JSON.stringify(text)} names a file`;
    throw new HelveError('invalid_input', `${what}: not JSON: ${problem}`, {
      hint:
        file === undefined
          ? `Quote it for your shell: ${example}`
          : `To use what is in the file, let your shell put it there: "$(cat ${file})"`,
    });
  }
}

/** What the parser says, with the text from the place that it counts to. */
function describe(text: string, message: string): string {
  if (text.trim() === '') return 'the text is empty';
  const [, said = '', position] = /^(.*?)(?: in JSON| after JSON)? at position (\d+)/s.exec(message) ?? [];
  const at = Number(position);
  if (message.startsWith('Unexpected end') || at >= text.length)
    return `it ends too early, after ${JSON.stringify(text.slice(-20))}: a bracket or a quote is not closed`;
  if (position === undefined) return message;
  return `${said} at character ${at + 1}, before ${JSON.stringify(text.slice(at, at + 20))}`;
}
