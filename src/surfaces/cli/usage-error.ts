/** Explains a wrong command line, for the command that was probably meant, in the form of all other errors. */
import { type Command, CommanderError } from 'commander';
import { HelveError } from '../../domain/errors.js';

/**
 * Turns an error of the parser into a `HelveError`; returns any other error as it is.
 * @param words what follows `helve`, as it was typed
 */
export function asUsageError(error: unknown, program: Command, words: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  const { command, path, rest } = findCommand(program, words);
  const help = ['helve', ...path, '--help'].join(' ');
  const unknown = error.code === 'commander.excessArguments' && command.commands.length > 0;
  if (error.code === 'commander.help')
    return wrong(
      path.length === 0 ? 'Name a command' : `Name a command of helve ${path.join(' ')}`,
      known(command, help),
    );
  if (unknown || error.code === 'commander.unknownCommand')
    return wrong(`Unknown command '${[...path, rest[0]].join(' ')}'`, known(command, help));
  if (error.code === 'commander.unknownOption' && path.length === 0 && words.length > 1)
    return wrong(sentence(error), `Options come after the command, as in: helve tools --json. All commands: ${help}`);
  return wrong(sentence(error), meant(error) ?? `For help: ${help}`);
}

/** The command that the first words name, and the words after its name. */
function findCommand(program: Command, words: readonly string[]) {
  let command = program;
  let depth = 0;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
    depth += 1;
  }
  return { command, path: words.slice(0, depth), rest: words.slice(depth) };
}

/** The commands below a command; of `helve` itself there are too many for one line. */
function known(command: Command, help: string): string {
  if (command.parent === null) return `${help} lists all commands.`;
  return `There are ${command.commands.map((one) => one.name()).join(', ')}; ${help} describes them.`;
}

/** `error: unknown option '--nme'\n(Did you mean --name?)`: the first line. */
function sentence({ message }: CommanderError): string {
  const [first = ''] = message.replace(/^error: /, '').split('\n');
  return first.charAt(0).toUpperCase() + first.slice(1);
}

/** The second line, which only some errors have. */
function meant({ message }: CommanderError): string | undefined {
  return message.split('\n')[1]?.replaceAll(/[()]/g, '');
}

function wrong(message: string, hint: string): HelveError {
  return new HelveError('invalid_input', message, { hint });
}
