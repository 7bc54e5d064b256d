/** Code mode for programs that host agents: what a model may be shown of its tools as TypeScript. */
import type { CodeVerdict, DeclarationsQuery, ToolDeclarations } from '../domain/code-acts.js';
import type { Run, RunOptions, StartRun } from '../domain/run.js';

/** A `Helve` in this process. `Who` is the type with which it names a caller. */
export interface CodeSource<Who> {
  toolDeclarations(query: DeclarationsQuery & { readonly principal: Who }): Promise<ToolDeclarations>;
  checkCode(program: Program<Who>): Promise<CodeVerdict>;
  runCode(program: RunProgram<Who>): Promise<Run>;
}

/** A program with what it may use, what it is for, and who follows it: see `StartRun` and `RunOptions`. */
export interface RunProgram<Who> extends StartRun, RunOptions {
  readonly principal: Who;
}

export interface Program<Who> {
  readonly principal: Who;
  /**
   * TypeScript: statements with `await` and `return` at the top, a module with `export default async () => …`, or an
   * `async () => …` expression.
   */
  readonly code: string;
}

export interface DeclarationsOptions<Who> {
  readonly principal: Who;
  /** Slugs of toolkits or connections, or names of namespaces. Default: all that the principal may use. */
  readonly toolkits?: readonly string[];
}

/**
 * Returns TypeScript declarations of the principal's tools, one `declare namespace` for each connection and each toolkit
 * without accounts. Throws `not_found` for a toolkit of which the principal has no tools.
 */
export async function declarationsFor<Who>(
  source: CodeSource<Who>,
  { principal, toolkits }: DeclarationsOptions<Who>,
): Promise<string> {
  const only = toolkits === undefined ? {} : { only: toolkits };
  return (await source.toolDeclarations({ principal, ...only, format: 'full' })).text;
}

/**
 * Checks a whole program against the principal's tools and runs nothing: names, arguments, the use of answers, and calls
 * that nothing awaits. Each issue has its place in the text and one line for a model that corrects itself.
 */
export function checkCode<Who>(source: CodeSource<Who>, program: Program<Who>): Promise<CodeVerdict> {
  return source.checkCode(program);
}

/**
 * Checks a program and runs it as the principal, whose grants, policies and approvals hold for each of its calls. Returns
 * when the program has ended or waits for a person or for a time: `status` says which, `waits` what for. The run then goes on
 * by itself. An `idempotencyKey` makes a second start return the first run. Throws `forbidden`, `invalid_input` for a limit
 * above the installation's, `not_found` or `conflict` for a plan that cannot be used.
 */
export function runCode<Who>(source: CodeSource<Who>, program: RunProgram<Who>): Promise<Run> {
  return source.runCode(program);
}
