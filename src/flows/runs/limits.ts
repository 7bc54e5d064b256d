/** The limits of a run: what the installation allows, and what its caller asks for. */
import { HelveError } from '../../domain/errors.js';
import { defaultRunLimits, type RunLimits } from '../../domain/run.js';

/** Throws `invalid_input` for a limit that is unknown, not a positive number, or above the installation's. */
export function chooseLimits(asked: Partial<RunLimits> = {}, allowed: RunLimits = defaultRunLimits): RunLimits {
  for (const [name, value] of Object.entries(asked)) {
    const max = Object.hasOwn(allowed, name) ? allowed[name as keyof RunLimits] : undefined;
    if (max === undefined) throw unfit(`There is no limit ${JSON.stringify(name)}`, Object.keys(allowed).join(', '));
    if (!(typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= max))
      throw unfit(`The limit ${name} must be a number from 1 to ${max}`, `${name}: ${max}, or leave it out`);
  }
  return { ...allowed, ...asked };
}

const unfit = (problem: string, hint: string): HelveError => new HelveError('invalid_input', problem, { hint });
