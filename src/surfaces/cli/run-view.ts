/** Shows a run on the command line: its calls while it runs, and the complete run in words. */
import type { Run, RunCall, RunWait } from '../../domain/run.js';
import {
  describeEffect,
  describeIssue,
  describeLog,
  describeRun,
  describeRunCall,
  describeRunWait,
  describeTakeovers,
} from '../../util/run-words.js';
import { printable } from './print.js';

export interface CallView {
  show(call: RunCall): void;
  /** A line of its own, below the calls. */
  note(text: string): void;
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>;

/** A line for each call: on a terminal it changes in place; elsewhere a line is printed when the call has settled. */
export function createCallView(stream: Stream): CallView {
  const shown = new Map<number, string>();
  /** The lines on the screen, from the top: the number of a call, or a note. */
  const lines: (number | undefined)[] = [];
  const print = (text: string, number?: number): void => {
    lines.push(number);
    stream.write(`${text}\n`);
  };
  return {
    show(call) {
      const text = printable(describeRunCall(call)).replace(/\s*\n\s*/g, ' ');
      if (shown.get(call.number) === text || (!stream.isTTY && call.status === 'running')) return;
      shown.set(call.number, text);
      const cut = stream.isTTY ? text.slice(0, (stream.columns ?? 80) - 1) : text;
      const at = lines.lastIndexOf(call.number);
      const up = lines.length - at;
      if (!stream.isTTY || at === -1 || up >= (stream.rows ?? 24)) return print(cut, call.number);
      stream.write(`\u001b[${up}A\r\u001b[2K${cut}\u001b[${up}B\r`);
    },
    note: (text) => {
      for (const line of printable(text).split('\n')) print(line);
    },
  };
}

/** Says where a person decides when the run waits. */
export function tellWait(run: Pick<Run, 'id' | 'url'>, wait: RunWait): string {
  const where = run.url === undefined ? '' : `, or at ${run.url}`;
  const told = describeRunWait(wait);
  if (wait.for === 'time') return told;
  if (wait.for === 'approval')
    return `${told}\n     helve approve ${wait.approvalId}, or helve reject ${wait.approvalId}${where}`;
  if (wait.for === 'answer') return `${told}\n     helve runs answer ${run.id} ${wait.number} "…"${where}`;
  if (wait.forOthers) return `${told}\n     It concerns an account of somebody else. Only they can decide.`;
  const decide = `helve runs decide ${run.id} ${wait.number}`;
  return `${told}\n     ${decide} happened, or ${decide} not-happened${where}`;
}

/** The effects of a plan, one per line. */
export const tellPlan = ({ planned }: Run): string[] => planned?.effects.map(describeEffect) ?? [];

/** The complete run in words. */
export function tellRun(run: Run): string {
  const { id, principal, intent, startedAt, finishedAt, calls, waits, logs, value, issues = [], plan } = run;
  const ended = finishedAt === undefined ? '' : `, ended ${finishedAt}`;
  const lines = [
    `Run ${id} of ${principal.name}, started ${startedAt}${ended}`,
    ...(intent === undefined ? [] : [`Asked for: ${intent}`]),
    ...(plan === undefined ? [] : [`It follows the plan ${plan}.`]),
    describeRun(run),
    ...describeTakeovers(run),
    ...issues.map(describeIssue),
    ...section('Calls:', calls.map(describeRunCall)),
    ...section('Plan:', tellPlan(run)),
    ...section(
      'It waits:',
      waits.map((wait) => tellWait(run, wait)),
    ),
    ...section('Logs:', logs.map(describeLog)),
    ...(value === undefined ? [] : ['Value:', showValue(value)]),
  ];
  return printable(lines.join('\n'));
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [title, ...lines]);

/** The return value of a program: text unchanged, everything else as JSON. */
export const showValue = (value: unknown): string =>
  printable(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
