/** `helve completion bash|zsh|fish`: prints a completion script, generated from the commands. */
import type { Command } from 'commander';
import { HelveError } from '../../../domain/errors.js';

const shells = { bash: writeBash, zsh: writeZsh, fish: writeFish };

export function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('print the completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      '\nbash:  source <(helve completion bash)\nzsh:   source <(helve completion zsh)\nfish:  helve completion fish | source',
    )
    .action((shell: string) => {
      if (!Object.hasOwn(shells, shell))
        throw new HelveError('invalid_input', `Completion for ${JSON.stringify(shell)} is not supported`, {
          hint: `Supported shells: ${Object.keys(shells).join(', ')}.`,
        });
      process.stdout.write(shells[shell as keyof typeof shells](listCommands(program)));
    });
}

/** One command: its words, and the words that may follow it. */
interface Completed {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

function listCommands(program: Command): readonly Completed[] {
  const found: Completed[] = [];
  const visit = (command: Command, path: readonly string[]): void => {
    const below = command.createHelp().visibleCommands(command);
    const options = command.createHelp().visibleOptions(command);
    found.push({
      path: path.join(' '),
      words: [
        ...below.map((one) => ({ word: one.name(), description: one.description() })),
        ...options.map(({ long, short, description }) => ({ word: long ?? short ?? '', description })),
      ].filter(({ word }) => word !== ''),
    });
    for (const one of command.commands) visit(one, [...path, one.name()]);
  };
  visit(program, []);
  return found;
}

const splitWords = ({ words }: Completed): string => words.map(({ word }) => word).join(' ');

/** The words on the line that are not options name the command, as far as they match one. */
function writeBash(commands: readonly Completed[]): string {
  return `# Completion of helve for bash: source <(helve completion bash)
_helve() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      '${path}') path='${path}' ;;`)
  .join('\n')}
    esac
  done
  local words=""
  case "$path" in
${commands.map((command) => `    '${command.path}') words='${splitWords(command)}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _helve helve
`;
}

function writeZsh(commands: readonly Completed[]): string {
  return `#compdef helve
# Completion of helve for zsh: source <(helve completion zsh)
_helve() {
  local helve_path="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${helve_path:+$helve_path }$word" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      '${path}') helve_path='${path}' ;;`)
  .join('\n')}
    esac
  done
  local -a entries
  case "$helve_path" in
${commands
  .map(
    ({ path, words }) =>
      `    '${path}') entries=(${words.map(({ word, description }) => `'${word}:${quoteZsh(description)}'`).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe 'helve' entries
  _files
}
compdef _helve helve
`;
}

const quoteZsh = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');

function writeFish(commands: readonly Completed[]): string {
  const lines = commands.flatMap((command) =>
    command.words.map(({ word, description }) => {
      const quoted = description.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c helve -n '__helve_is "${command.path}"' ${what} -d '${quoted}'`;
    }),
  );
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# Completion of helve for fish: helve completion fish | source
function __helve_is
  set -l path ""
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$path $word")
    if contains -- "$longer" ${paths.map((path) => `"${path}"`).join(' ')}
      set path "$longer"
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}
