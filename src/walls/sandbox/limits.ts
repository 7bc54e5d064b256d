/** The limits of a run: their defaults, and the sentence for a model when one is exceeded. */
import type { LimitName, RunError, SandboxLimits } from '../../domain/sandbox.js';

export const defaultLimits: SandboxLimits = {
  cpuMs: 2_000,
  wallMs: 60_000,
  memoryMb: 64,
  stackKb: 256,
  codeBytes: 512 * 1_024,
  calls: 1_000,
  callsInFlight: 100,
  argumentBytes: 1_048_576,
  resultBytes: 4 * 1_048_576,
  logBytes: 64 * 1_024,
  valueBytes: 256 * 1_024,
  timers: 100,
};

/** The largest values that the engine can enforce. */
const maxLimits: Partial<SandboxLimits> = { memoryMb: 512, stackKb: 512, resultBytes: 64 * 1_048_576 };

const sentences: Readonly<Record<LimitName, (limit: number) => string>> = {
  cpuMs: (limit) => `The program ran for more than ${limit} ms of computing, not counting its waits`,
  wallMs: (limit) => `The program did not end within ${limit} ms`,
  memoryMb: (limit) => `The program needed more than ${limit} MB of memory`,
  stackKb: (limit) => `The program needed more than ${limit} KB of stack`,
  codeBytes: (limit) => `The program is longer than ${limit} bytes`,
  calls: (limit) => `The program made more than ${limit} calls`,
  callsInFlight: (limit) =>
    `The program had more than ${limit} calls in flight at the same time; await them in groups of at most ${limit}`,
  argumentBytes: (limit) => `The arguments of a call were longer than ${limit} bytes`,
  resultBytes: (limit) => `The result of a call was longer than ${limit} bytes`,
  logBytes: (limit) => `The program logged more than ${limit} bytes`,
  valueBytes: (limit) => `The value that the program returned is longer than ${limit} bytes`,
  timers: (limit) => `The program had more than ${limit} timers at the same time`,
};

export function limitError(limit: LimitName, limits: SandboxLimits): RunError {
  const message = `${sentences[limit](limits[limit])} (limit: ${limit}).`;
  return { name: 'LimitError', message, code: 'limit_exceeded', limit };
}

export const isLimit = (name: string): name is LimitName => Object.hasOwn(sentences, name);

/** Throws `RangeError` for a limit that is negative, not a number, or larger than the engine can enforce. */
export function resolveLimits(given: Partial<SandboxLimits> = {}): SandboxLimits {
  const resolved = { ...defaultLimits };
  for (const name of Object.keys(defaultLimits) as LimitName[]) {
    const value = given[name];
    if (value === undefined) continue;
    if (!(Number.isFinite(value) && value >= 0 && value <= (maxLimits[name] ?? value)))
      throw new RangeError(`The limit ${name} is not a number from 0 to ${maxLimits[name] ?? 'any finite number'}`);
    resolved[name] = value;
  }
  return resolved;
}
