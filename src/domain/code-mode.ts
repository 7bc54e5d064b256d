/** Code mode for tools: what `run_code` and `run_status` ask. Bound to the caller of the tool. */
import type { Run, RunOptions, StartRun } from './run.js';

export interface CodeMode {
  /** As the act `runCode` of the caller. Throws `forbidden` inside a program. */
  run(program: StartRun, options: RunOptions): Promise<Run>;
  get(id: string): Promise<Run>;
  /** Resolves when the run has ended, waits for something new, or the signal is aborted. */
  settle(id: string, signal: AbortSignal): Promise<Run>;
  /** TypeScript declarations of these tools of the caller, by model-facing name, as the functions of a program. */
  declare(tools: readonly string[]): Promise<string>;
  /** Whether the caller is an agent that sees its tools as functions of programs. */
  prefersPrograms(): Promise<boolean>;
}
