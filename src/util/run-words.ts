/** Describes a run in words, for people and models: what happened, call by call, and what it waits for. */
import type { CodeIssue } from '../domain/code.js';
import type { PlannedEffect, Run, RunCall, RunError, RunLog, RunWait } from '../domain/run.js';

const callWords: Readonly<Record<RunCall['status'], string>> = {
  running: 'running …',
  ok: 'ok',
  failed: 'failed',
  waiting: 'waits',
  in_doubt: 'in doubt: it may have happened',
  planned: 'planned, not made',
};

/** One sentence about the state of the run. */
export function describeRun(run: Run): string {
  const { status, mode, planned, error, issues = [] } = run;
  if (status === 'refused')
    return `The program was not run: it has ${issues.length === 1 ? 'an issue' : `${issues.length} issues`}.`;
  if (status === 'failed') return `The program ended with an error${error ? `: ${describeRunError(error)}` : '.'}`;
  if (status === 'succeeded' && mode === 'plan')
    return describePlanStatus(planned?.effects.length ?? 0, planned?.status);
  const isAsking = run.waits.some((wait) => wait.for === 'answer');
  const sentences = {
    queued: 'The program waits for its turn: all places for programs are taken.',
    running: 'The program is running.',
    waiting: isAsking ? 'The program waits for an answer.' : 'The program waits, and then goes on by itself.',
    in_doubt: 'The program waits: a person must say whether an effect happened.',
    succeeded: 'The program ended.',
    diverged: `The program was stopped, because it did not repeat what it had done before${error ? `: ${error.message}` : '.'}`,
    cancelled: 'The run was cancelled.',
  } as const;
  return sentences[status];
}

function describePlanStatus(effects: number, status: string | undefined): string {
  if (effects === 0) return 'The program would change nothing.';
  const count = effects === 1 ? 'one effect' : `${effects} effects`;
  const decided = status === 'pending' ? 'A person must approve the plan before it can run.' : `The plan is ${status}.`;
  return `Nothing was changed: this is the plan, with ${count}. ${decided}`;
}

/** One sentence for each process that continued the run after another had ended. */
export function describeTakeovers({ takeovers = [] }: Run): string[] {
  return takeovers.map(
    (at) =>
      `The process that ran it ended before the program did, so another process went on at ${at}: calls that had been answered were not made again.`,
  );
}

/** The place in the program, the problem, and how to correct it. */
export function describeRunError({ name, message, line, hint }: RunError): string {
  const place = line === undefined ? '' : `line ${line}: `;
  const named = name === 'Error' || message.startsWith(name) ? message : `${name}: ${message}`;
  return `${place}${named}${hint ? ` (${hint})` : ''}`;
}

/** One line: `3  create_issue  ok`. */
export function describeRunCall({ number, tool, status, error, attempts }: RunCall): string {
  const again = attempts === undefined ? '' : ` at attempt ${attempts}, since the answer to an earlier one was lost`;
  return `${String(number).padStart(3)}  ${tool}  ${callWords[status]}${again}${error ? `: ${error.message}` : ''}`;
}

/** One line: the text, preceded by its level unless that is the default one. */
export function describeLog({ level, text }: RunLog): string {
  return level === 'log' ? text : `${level}: ${text}`;
}

/** One line: `3:14 There is no tool …`. */
export function describeIssue({ line, column, message }: CodeIssue): string {
  return `${line}:${column} ${message}`;
}

/** One sentence for each thing that the run waits for. */
export function describeRunWait(wait: RunWait): string {
  if (wait.for === 'time')
    return wait.tool === undefined
      ? `It sleeps until ${wait.until}.`
      : `Call ${wait.number} (${wait.tool}) is made again at ${wait.until}.`;
  const call = `Call ${wait.number} (${wait.tool})`;
  if (wait.for === 'approval') return `${call} waits for a person to approve it: approval ${wait.approvalId}.`;
  if (wait.for === 'answer') return `It asks: ${wait.question}${wait.choices ? ` (${wait.choices.join(', ')})` : ''}`;
  return `${call} is in doubt. ${wait.reason}. A person must say whether it happened.`;
}

/** One line: number, tool, account, arguments, and whether a person must approve the call itself. */
export function describeEffect({ number, tool, connection, arguments: input, approval }: PlannedEffect): string {
  const account = connection === undefined ? '' : ` with ${connection}`;
  // A grant has no name that a person would know.
  const rule = approval?.startsWith('grant:') ? '' : ` (${approval})`;
  const need = approval === undefined ? '' : `  needs an approval${rule}`;
  return `${String(number).padStart(3)}  ${tool}${account} ${JSON.stringify(input)}${need}`;
}
