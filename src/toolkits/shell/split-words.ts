/**
 * Splits a command line into words, with quotes and backslashes as POSIX shells read them and no other features. Other
 * syntax of shells (pipes, redirections, variables, patterns) is refused rather than taken as text, because its author
 * expects an effect that it would not have.
 */
import { HelveError } from '../../domain/errors.js';

/** Each of these has a meaning to a shell if it is unquoted. */
const operators: Readonly<Record<string, string>> = {
  '|': 'Pipes are not run. Call once for each program and pass the output on as stdin.',
  '&': 'Only one command is run in each call, and none in the background.',
  ';': 'Only one command is run in each call.',
  '\n': 'Only one command is run in each call.',
  '<': 'Redirections are not done. Give the input as stdin.',
  '>': 'Redirections are not done. Output is returned as stdout and stderr.',
  '(': 'Subshells are not run.',
  ')': 'Subshells are not run.',
  '*': 'Patterns are not expanded. Name the files, or let a program such as find look for them.',
  '?': 'Patterns are not expanded. Name the files, or let a program such as find look for them.',
  '[': 'Patterns are not expanded. Name the files, or let a program such as find look for them.',
};
const expansions: Readonly<Record<string, string>> = {
  $: 'Variables and commands are not expanded.',
  '`': 'Commands are not expanded.',
};

interface Reader {
  readonly text: string;
  at: number;
}

/** Throws `invalid_input`, saying which character and what to do. */
export function splitWords(line: string): string[] {
  const text = line.slice(0, findEnd(line));
  const reader: Reader = { text, at: 0 };
  const words: string[] = [];
  let word: string | undefined;
  while (reader.at < text.length) {
    const character = text.charAt(reader.at);
    if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
      reader.at += 1;
    } else if (text.startsWith('\\\n', reader.at)) {
      // A backslash that continues the line, whether within a word or between two.
      reader.at += 2;
    } else if (character === '#' && word === undefined) {
      throw refusal(reader, 'Comments are not read. Quote it if it is meant literally.');
    } else if (character === '~' && word === undefined) {
      throw refusal(reader, 'The home folder is not expanded. It is /work.');
    } else {
      word = (word ?? '') + piece(reader, character);
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** A newline at the end of the line does not begin a second command. */
function findEnd(line: string): number {
  let end = line.length;
  while (line.charAt(end - 1) === '\n') end -= 1;
  return end;
}

function piece(reader: Reader, character: string): string {
  if (character === "'") return singleQuoted(reader);
  if (character === '"') return doubleQuoted(reader);
  if (character === '\\') return escaped(reader);
  const hint = operators[character] ?? expansions[character];
  if (hint !== undefined) throw refusal(reader, `${hint} Quote it if it is meant literally.`);
  reader.at += 1;
  return character;
}

function singleQuoted(reader: Reader): string {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end === -1) throw unclosed(reader);
  const inside = reader.text.slice(reader.at + 1, end);
  reader.at = end + 1;
  return inside;
}

function doubleQuoted(reader: Reader): string {
  const start = { ...reader };
  let inside = '';
  reader.at += 1;
  while (reader.at < reader.text.length) {
    const character = reader.text.charAt(reader.at);
    const following = reader.text.charAt(reader.at + 1);
    if (character === '"') {
      reader.at += 1;
      return inside;
    }
    const hint = expansions[character];
    if (hint !== undefined) throw refusal(reader, `${hint} Use single quotes if it is meant literally.`);
    if (character === '\\' && following !== '' && '$`"\\\n'.includes(following)) {
      if (following !== '\n') inside += following;
      reader.at += 2;
    } else {
      inside += character;
      reader.at += 1;
    }
  }
  throw unclosed(start);
}

function escaped(reader: Reader): string {
  const following = reader.text.charAt(reader.at + 1);
  if (following === '') throw refusal(reader, 'Nothing follows the backslash.');
  reader.at += 2;
  return following;
}

function unclosed(reader: Reader): HelveError {
  return refusal(reader, 'This quotation mark is never closed.');
}

function refusal({ text, at }: Reader, hint: string): HelveError {
  const character = JSON.stringify(text.charAt(at));
  return new HelveError('invalid_input', `command is not a single command: ${character} at character ${at + 1}`, {
    hint: `${hint} Or give the words one by one as argv.`,
  });
}
