/** Runs one program that has no tools, and returns its answer. */
import type { JsonValue } from '../../domain/json.js';
import type { ProgramRunner, RunError, RunRequest, RunResult, SandboxLimits } from '../../domain/sandbox.js';
import type { Workers } from '../../domain/workers.js';
import { defined } from '../../util/defined.js';
import { awaitImports, toRunnable } from '../../util/program/index.js';

export interface CodeRun {
  readonly code: string;
  readonly language: 'typescript' | 'javascript';
  readonly input: JsonValue;
  readonly limits: Partial<SandboxLimits>;
  /** From the name of a package to its source. */
  readonly modules: Readonly<Record<string, string>>;
  readonly programs: ProgramRunner;
  readonly workers: Workers;
  readonly signal: AbortSignal;
}

export interface CodeOutcome {
  readonly result: JsonValue;
  readonly logs: { level: string; text: string }[];
  readonly error?: { name: string; message: string; line?: number; column?: number; hint?: string };
}

/** A program that is wrong or fails is a normal result. Throws only `cancelled` and `shutting_down`. */
export async function runCode(run: CodeRun): Promise<CodeOutcome> {
  const { code, language, input, limits, modules, programs, workers, signal } = run;
  const runnable = await toRunnable(workers, { code: awaitImports(code), language, signal });
  if (runnable.issue) return { result: null, logs: [], error: { name: 'SyntaxError', ...runnable.issue } };
  const {
    value = null,
    error,
    logs,
  } = await runUndisturbed(programs, {
    code: runnable.code,
    limits,
    modules,
    globals: { input },
    call: async () => {
      throw new Error('This program has no tools: work on `input`, and return what the tools need.');
    },
  });
  const told = logs.map((line) => ({ ...line }));
  return { result: value, logs: told, ...defined({ error: error && describe(runnable.place(error)) }) };
}

/**
 * Starts a program again if another program of the workspace ended their shared process. This is safe: it has no
 * effects.
 */
async function runUndisturbed(programs: ProgramRunner, request: RunRequest): Promise<RunResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await programs.run(request);
    if (result.error?.loss !== 'neighbour' || attempt === maxAttempts) return result;
  }
}

const maxAttempts = 3;

function describe({ name, message, line, column, hint }: RunError) {
  return { name, message, ...defined({ line, column, hint: hint ?? findHint(name, message) }) };
}

/** Returns what to do instead, for a program that uses something that the sandbox lacks. */
function findHint(name: string, message: string): string | undefined {
  if (message.startsWith('There is no package'))
    return 'A program can import only the packages that install_package has installed in this workspace.';
  const missing =
    name === 'ReferenceError' ? /^(fetch|require|process|Buffer|setInterval|Intl)\b/.exec(message)?.[1] : undefined;
  if (missing === undefined) return undefined;
  return `The sandbox has no ${missing}. It has ECMAScript, console, URL, TextEncoder, setTimeout and sleep(ms).`;
}
