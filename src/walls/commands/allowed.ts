/**
 * Which program a command line starts, if any. Only a name that the operator listed, resolved where the sandbox would
 * find it; a path only if it is exactly what such a name resolves to. The sandbox, not this file, confines what that
 * program starts: `env`, `find -exec` and the like can start anything in it.
 */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import type { CommandLimits } from '../../domain/reach.js';
import type { Workers } from '../../domain/workers.js';
import { firstMatch } from '../../util/pattern-match.js';
import { programPath, visibleFolders } from '../../util/sandbox/sandbox-view.js';
import { isWithin } from './read-paths.js';

const maxArguments = 1_024;
/** The kernel accepts 128 KiB in one argument. */
const maxCharacters = 100_000;

/** Returns the program's absolute path. Throws `invalid_input` or `forbidden`. */
export function checkArguments(argv: readonly string[]): string {
  const [program] = argv;
  if (!program) throw new HelveError('invalid_input', 'The command names no program');
  if (argv.some((argument) => argument.includes('\0'))) {
    throw new HelveError('invalid_input', 'An argument of the command contains a NUL character');
  }
  const length = argv.reduce((sum, argument) => sum + argument.length + 1, 0);
  if (argv.length > maxArguments || length > maxCharacters) {
    const most = `${maxArguments} arguments of ${maxCharacters} characters together`;
    throw new HelveError('too_large', `The command line is longer than ${most}`, { hint: 'Send data through stdin.' });
  }
  return program;
}

/** Throws `forbidden`, or `invalid_config` if the program is not on this machine. */
export function resolveProgram(program: string, allowed: CommandLimits['allowedCommands']): string {
  const name = allowed.find((each) => each === program || (program.startsWith('/') && find(each) === program));
  if (name === undefined) {
    const hint =
      allowed.length > 0
        ? `Allowed programs: ${allowed.join(', ')}. Name the program without a path.`
        : 'No program is allowed. Ask the operator to list programs under `allowed_commands` in the tool_config of run_command.';
    throw new HelveError('forbidden', `The program ${shown(program)} is not allowed`, { hint });
  }
  const path = find(name);
  if (path === undefined) {
    throw new HelveError(
      'invalid_config',
      `The program ${shown(name)} is allowed, but is not installed on this machine`,
      {
        hint: `Ask the operator to install it into ${programPath.join(', ')}; commands do not see other folders.`,
      },
    );
  }
  return path;
}

/** Throws `forbidden`, `invalid_config`, or `timeout` for patterns that take too long on this command line. */
export async function checkBlocked(
  argv: readonly string[],
  patterns: readonly string[],
  { workers, signal }: { readonly workers: Workers; readonly signal?: AbortSignal },
): Promise<void> {
  const answer = await firstMatch(workers, { patterns, text: argv.join(' ') }, signal);
  if (answer === undefined) return;
  if ('matched' in answer) {
    throw new HelveError('forbidden', `The command line matches the blocked pattern ${answer.matched}`, {
      hint: 'The operator does not allow this. Use another way, or tell the person that you cannot.',
    });
  }
  throw new HelveError('invalid_config', `The blocked pattern ${answer.malformed} is not a regular expression of RE2`, {
    hint: 'Ask the operator to correct `blocked_patterns` in the tool_config of run_command.',
    details: { problem: answer.problem },
  });
}

function find(name: string): string | undefined {
  if (name.includes('/') || name === '' || name === '.' || name === '..') return undefined;
  return programPath.map((folder) => join(folder, name)).find(runsInside);
}

/** A link that leads out of the visible folders does not work inside the sandbox. */
function runsInside(path: string): boolean {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() && visibleFolders.some((folder) => isWithin(real, folder));
  } catch {
    return false;
  }
}

function shown(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
