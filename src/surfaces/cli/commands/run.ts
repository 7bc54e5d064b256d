/** `helve run`: runs a program, or plans it, shows its calls, and waits for what it waits for. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { type ErrorCode, errorTable, HelveError } from '../../../domain/errors.js';
import type { Run, RunWait } from '../../../domain/run.js';
import { defined } from '../../../util/defined.js';
import { describeIssue, describeRun, describeRunError } from '../../../util/run-words.js';
import { action, type CliSettings, type CommandContext, fail, withSharedOptions } from '../context.js';
import { createCallView, showValue, tellPlan, tellWait } from '../run-view.js';
import { checkProgram, readProgram } from './check.js';

interface RunOptions {
  readonly agent?: string;
  readonly plan?: boolean;
  readonly check?: boolean;
  readonly followPlan?: string;
  readonly intent?: string;
  readonly key?: string;
  readonly detach?: boolean;
}

/** The exit code of a program that was left with Ctrl-C. */
const leftExitCode = 130;
const needsApprovalExitCode = 4;

export function addRun(program: Command, settings: CliSettings): void {
  withSharedOptions(program.command('run <file>'), settings)
    .description('run a TypeScript program over tools, to its end')
    .option('--agent <name>', 'as this agent, under its grants')
    .option('--check', 'only type-check it, like helve check')
    .option('--plan', 'first list its effects without making them, and ask to approve them')
    .option('--follow-plan <id>', 'make exactly the effects of this approved plan')
    .option('--intent <text>', 'what the person asked for')
    .option('--key <key>', 'a second start with the same key shows the first run')
    .option('--detach', 'print the id of the run and do not wait for it')
    .action(
      action<[string, RunOptions]>(async (context, file, options) => {
        const { agent, intent, key: idempotencyKey, followPlan } = options;
        if (options.check) return checkProgram(context, file, agent);
        const start = { code: await readProgram(file), wait: false, ...defined({ agent, intent }) };
        if (options.plan) return planFirst(context, { file, start });
        const run = await context.client.runCode({ ...start, ...defined({ idempotencyKey, plan: followPlan }) });
        if (options.detach) return context.output.value(run, run.id);
        await finish(context, await stay(context, run, agent), file);
      }),
    );
}

interface Start {
  readonly code: string;
  readonly agent?: string;
  readonly intent?: string;
  readonly wait: boolean;
}

async function planFirst(context: CommandContext, { file, start }: { file: string; start: Start }): Promise<void> {
  const { client, output } = context;
  const begun = await client.runCode({ ...start, mode: 'plan' });
  const plan = await stay(context, begun, start.agent);
  if (plan.status !== 'succeeded') return finish(context, plan, file);
  if (output.json) {
    output.value(plan, '');
    if (plan.planned?.status === 'pending') process.exitCode = needsApprovalExitCode;
    return;
  }
  output.line(describeRun(plan));
  const view = createCallView(process.stdout);
  for (const line of tellPlan(plan)) view.note(line);
  if (
    plan.planned?.status === 'pending' &&
    !(await approve(context, plan, { file, ...defined({ agent: start.agent }) }))
  )
    return;
  const run = await client.runCode({ ...start, plan: plan.id });
  await finish(context, await stay(context, run, start.agent), file);
}

/** Asks on a terminal. Returns whether the plan is approved. */
async function approve(
  { client, output }: CommandContext,
  plan: Run,
  { file, agent }: { readonly file: string; readonly agent?: string },
): Promise<boolean> {
  const params = { id: plan.id };
  if (process.stdin.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question('Approve this plan and run it? [y/N] ').finally(() => terminal.close());
    if (/^y(es)?$/i.test(answer.trim())) {
      await client.call('POST /api/runs/:id/decide', { params, body: { decision: 'approve_plan' } });
      return true;
    }
  }
  output.line(`Approve it: helve runs approve-plan ${plan.id}${plan.url === undefined ? '' : `, or at ${plan.url}`}`);
  output.line(
    `Then run it: helve run ${file}${agent === undefined ? '' : ` --agent ${agent}`} --follow-plan ${plan.id}`,
  );
  process.exitCode = needsApprovalExitCode;
  return false;
}

/** Asks the program's question on this terminal until the answer is one that it understands. Returns what became of it. */
async function answerHere(
  client: CommandContext['client'],
  { id }: Run,
  { number }: Extract<RunWait, { for: 'answer' }>,
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    while (true) {
      const text = (await terminal.question('> ')).trim();
      const body = { decision: 'answer', number, text } as const;
      const refused = await client.call('POST /api/runs/:id/decide', { params: { id }, body }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refused === undefined) return 'Answered.';
      if (!(refused instanceof HelveError) || refused.code !== 'invalid_input')
        return refused instanceof Error ? refused.message : String(refused);
      process.stderr.write(`${refused.message}. ${refused.hint ?? ''}\n`);
    }
  } finally {
    terminal.close();
  }
}

/**
 * Shows the calls of a run on standard error until it ends, also while it waits for a person. Returns the run as it is then,
 * or as it was when Ctrl-C was pressed, which leaves it going.
 */
export async function stay({ client, output }: CommandContext, run: Run, agent?: string): Promise<Run> {
  if (run.finishedAt !== undefined) return run;
  const left = new AbortController();
  const leave = (): void => left.abort();
  process.once('SIGINT', leave);
  const view = output.json ? undefined : createCallView(process.stderr);
  const told = new Set<string>();
  let last = run;
  try {
    for await (const event of client.followRun({ id: run.id, ...defined({ agent }) }, left.signal)) {
      if (event.type === 'call') {
        view?.show(event.call);
        continue;
      }
      last = event.run;
      for (const call of last.calls) view?.show(call);
      const isNew = last.waits.filter((wait) => !told.has(JSON.stringify(wait)));
      for (const wait of isNew) {
        told.add(JSON.stringify(wait));
        view?.note(tellWait(last, wait));
        if (view && wait.for === 'answer' && process.stdin.isTTY) view.note(await answerHere(client, last, wait));
      }
    }
  } catch (error) {
    if (!left.signal.aborted && isRefusal(error)) throw error;
  } finally {
    process.removeListener('SIGINT', leave);
  }
  if (left.signal.aborted) {
    view?.note(`The run continues. Follow it: helve runs ${run.id} --follow. End it: helve runs cancel ${run.id}`);
    process.exitCode = leftExitCode;
  } else if (last.finishedAt === undefined)
    throw new HelveError('upstream_failed', 'The connection to Helve ended before the run', {
      hint: `The run continues as soon as Helve runs again. Follow it: helve runs ${run.id} --follow`,
    });
  return last;
}

/** An error with a cause is a connection that broke: the server was killed, for example. */
const isRefusal = (error: unknown): boolean => error instanceof HelveError && error.cause === undefined;

/** Prints what the program returned on standard output, and its logs, issues and error on standard error. */
export async function finish({ output }: CommandContext, run: Run, file = 'program'): Promise<void> {
  if (output.json) output.value(run, '');
  if (run.finishedAt === undefined) return;
  const view = createCallView(process.stderr);
  if (!output.json) for (const { text } of run.logs) view.note(text);
  if (run.status === 'succeeded') {
    if (!output.json && run.value !== undefined) output.line(showValue(run.value));
    return;
  }
  if (run.status === 'refused' && !output.json)
    for (const issue of run.issues ?? []) view.note(`${file}:${describeIssue(issue)}`);
  fail(toError(run), output);
}

function toError(run: Run): HelveError {
  const { error, status } = run;
  if (status === 'cancelled') return new HelveError('cancelled', 'The run was cancelled');
  if (error === undefined) return new HelveError('tool_failed', describeRun(run));
  const code = Object.hasOwn(errorTable, error.code ?? '') ? (error.code as ErrorCode) : 'tool_failed';
  const { hint, ...rest } = error;
  return new HelveError(code, describeRunError(rest), defined({ hint }));
}
