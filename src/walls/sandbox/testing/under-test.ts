/** One sandbox, the tools that the programs of the contract have, and what must not have happened after any of them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunRequest, RunResult, Sandbox, SandboxLimits } from '../index.js';

export interface Program {
  readonly name: string;
  readonly code: string;
  readonly limits?: Partial<SandboxLimits>;
  readonly more?: Partial<RunRequest>;
  /** What is wrong with the result; undefined: nothing. */
  readonly judge: (result: RunResult) => string | undefined;
}

const tools: Readonly<Record<string, (given: unknown) => unknown>> = {
  echo: (given) => given,
  fail: () => {
    throw Object.assign(new Error('It did not work'), { name: 'HelveError', code: 'not_found', hint: 'Look again.' });
  },
  failInDetail: (given) => {
    throw Object.assign(new Error('It was busy'), { retryable: true, details: given });
  },
  failOddly: () => {
    throw null;
  },
  large: (given) => 'x'.repeat((given as { length: number }).length),
  hostile: () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"then":1}'),
  nothing: () => null,
};

const namespaces = {
  tools: { ...Object.fromEntries(Object.keys(tools).map((name) => [name, name])), wait: 'wait', missing: 'missing' },
};

/** As the caller of a sandbox does it: own properties only, arguments parsed, answers written. */
export async function callTool(name: string, argumentsJson: string): Promise<string> {
  const given: unknown = JSON.parse(argumentsJson);
  if (name === 'wait') {
    await pause((given as { ms: number }).ms);
    return 'null';
  }
  if (!Object.hasOwn(tools, name)) throw new Error(`There is no tool ${name}`);
  return JSON.stringify(tools[name]?.(given));
}

/** Longer than any queue of a suite: programs start together, and wait for a place. */
const patientMs = 200_000;

export function runOn(sandbox: Sandbox, { code, limits, more }: Pick<Program, 'code' | 'limits' | 'more'>) {
  return sandbox.run({ code, call: callTool, namespaces, limits: { wallMs: patientMs, ...limits }, ...more });
}

/** Runs all programs, several at the same time, and says of each that was wrong how it was. */
export async function failuresOf(sandbox: Sandbox, programs: readonly Program[]): Promise<string[]> {
  const told = await Promise.all(
    programs.map(async (program) => {
      const result = await runOn(sandbox, program);
      const wrong = program.judge(result);
      return wrong === undefined ? [] : [`${program.name}: ${wrong}, but got ${JSON.stringify(result).slice(0, 400)}`];
    }),
  );
  return told.flat();
}

export const returns =
  (wanted: unknown): Program['judge'] =>
  (result) =>
    result.ok && JSON.stringify(result.value) === JSON.stringify(wanted)
      ? undefined
      : `should return ${JSON.stringify(wanted)}`;

export const failsWith =
  (message: RegExp): Program['judge'] =>
  ({ error }) =>
    error && message.test(`${error.name}: ${error.message}`) ? undefined : `should fail with ${message}`;

export const exceeds =
  (limit: keyof SandboxLimits): Program['judge'] =>
  ({ error }) =>
    error?.limit === limit && error.message.includes(limit) ? undefined : `should exceed ${limit}`;
