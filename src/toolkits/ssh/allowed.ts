/**
 * Decides which command lines a grant allows. A line goes to an unknown shell, so a pattern with a star matches only
 * lines whose characters have no special meaning in any shell: their words are then the words that the shell sees.
 * Lines that need more, such as quotes or pipes, must be written out in the grant and match exactly.
 */
import { HelveError } from '../../domain/errors.js';
import type { Workers } from '../../domain/workers.js';
import { firstMatch } from '../../util/pattern-match.js';
import type { SshConfig } from './shapes.js';

/** ASCII only: whether other characters count as spaces or letters depends on the shell's locale. */
const plainLine = /^[A-Za-z0-9_./:,@+= -]*$/;

/** Longer lines must be written out in the grant. */
const mostMatched = 4_096;

/** Throws `invalid_input`, `forbidden` or `invalid_config`. */
export async function checkCommand(
  command: string,
  config: SshConfig,
  { workers, signal }: { readonly workers: Workers; readonly signal: AbortSignal },
): Promise<void> {
  if (command.includes('\0')) throw new HelveError('invalid_input', 'The command contains a NUL character');
  if (command.trim() === '') throw new HelveError('invalid_input', 'The command is empty');
  const { allowed_commands: allowed, blocked_patterns: blocked } = config;
  if (allowed && !allowed.some((pattern) => matchesPattern(pattern, command))) throw notAllowed(command, allowed);
  const answer = await firstMatch(workers, { patterns: blocked, text: command }, signal);
  if (answer === undefined) return;
  if ('matched' in answer) {
    throw new HelveError('forbidden', `The command matches the blocked pattern ${answer.matched}`, {
      hint: 'The operator does not allow this. Do it another way, or tell the person that you cannot.',
    });
  }
  throw new HelveError('invalid_config', `The blocked pattern ${answer.malformed} is not a regular expression of RE2`, {
    hint: 'Ask the operator to correct `blocked_patterns` in the tool_config of run_ssh_command.',
    details: { problem: answer.problem },
  });
}

function matchesPattern(pattern: string, command: string): boolean {
  if (!pattern.includes('*')) return command === pattern;
  if (command.length > mostMatched || !plainLine.test(command)) return false;
  const expected = splitWords(pattern);
  const words = splitWords(command);
  const open = expected.at(-1) === '**' && expected.length > 1;
  if (open) expected.pop();
  if (open ? words.length < expected.length : words.length !== expected.length) return false;
  // The program must be named, not matched by a star; this also excludes `NAME=value program`.
  if (expected[0]?.includes('*')) return false;
  return expected.every((each, index) => matchesWord(each, words[index] ?? ''));
}

const splitWords = (line: string): string[] => line.split(' ').filter((word) => word !== '');

function matchesWord(pattern: string, word: string): boolean {
  if (!pattern.includes('*')) return word === pattern;
  // A star never matches an option, a way up (`..`), or a character that zsh replaces.
  if (pattern.startsWith('*') && /^[-=]/.test(word)) return false;
  if (word.split(/[/:=,]/).includes('..')) return false;
  const pieces = pattern.split(/(\*+)/);
  const [first = ''] = pieces;
  return word.startsWith(first) && matchesPieces(pieces.slice(1), word.slice(first.length));
}

/**
 * `pieces` alternates between stars and texts. Each text is looked for at every place that the star before it allows.
 */
function matchesPieces(pieces: readonly string[], rest: string): boolean {
  let places = new Set([0]);
  for (let index = 0; index < pieces.length; index += 2) {
    const [star = '', text = ''] = pieces.slice(index, index + 2);
    const next = new Set<number>();
    for (const from of reached(places, star, rest)) if (rest.startsWith(text, from)) next.add(from + text.length);
    places = next;
  }
  return places.has(rest.length);
}

/** Every place after one of these: up to the end of the word, or to the next slash. */
function reached(places: ReadonlySet<number>, star: string, rest: string): number[] {
  const found: number[] = [];
  let going = false;
  for (let at = 0; at <= rest.length; at++) {
    going ||= places.has(at);
    if (going) found.push(at);
    if (star.length === 1 && rest[at] === '/') going = false;
  }
  return found;
}

function notAllowed(command: string, allowed: readonly string[]): HelveError {
  const list = allowed.slice(0, 20).join(' | ');
  const hint =
    allowed.length === 0
      ? 'No command is allowed. Ask the operator to list some under `allowed_commands` in the tool_config of run_ssh_command.'
      : `Allowed: ${list}${allowed.length > 20 ? ' | …' : ''}. Quotes, pipes and other shell characters are allowed only where an allowed line has them.`;
  const shown = JSON.stringify(command.length > 200 ? `${command.slice(0, 200)}…` : command);
  return new HelveError('forbidden', `The command ${shown} is not allowed`, { hint });
}
