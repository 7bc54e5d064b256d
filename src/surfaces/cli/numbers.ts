/** Options that are numbers, for the parser of the command line. */
import { InvalidArgumentError } from 'commander';

/** Throws commander's error for anything else than a whole number from 1 on. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number, at least 1.');
}

/** Days as seconds. Throws commander's error for anything that is not a number above 0. */
export function daysInSeconds(text: string): number {
  const seconds = Math.round(Number(text) * 86_400);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be a number of days above 0.');
}
