/** Describes a run for a model: its status, what it returned, and what to do next. */
import { z } from 'zod';
import type { JsonValue } from '../../domain/json.js';
import type { Run, RunCall } from '../../domain/run.js';
import { defined } from '../../util/defined.js';
import {
  describeEffect,
  describeIssue,
  describeLog,
  describeRun,
  describeRunCall,
  describeRunWait,
} from '../../util/run-words.js';

const maxValueChars = 20_000;
const maxLines = 50;
const maxLineChars = 1_000;

export const toldRun = z.strictObject({
  id: z.string().describe('Of the run'),
  status: z.string(),
  summary: z.string().optional(),
  value: z.unknown().optional().describe('What the program returned'),
  value_part: z.string().optional().describe('Part of the JSON text of a value that is too long'),
  calls: z.array(z.string()).optional().describe('Number, tool and outcome; 2–5: several in a row'),
  logs: z.array(z.string()).optional(),
  issues: z.array(z.string()).optional().describe('line:column and what is wrong; nothing has run'),
  plan: z.array(z.string()).optional().describe('The effects that the program would have, in order'),
  waits: z.array(z.string()).optional(),
  next: z.string().optional().describe('What to do'),
  url: z.string().optional().describe('Where a person sees the run and decides'),
});

/** Long lists lose their first entries. Of a long value, the part from the character `from` of its text is told. */
export function tellRun(run: Run, from = 0): z.input<typeof toldRun> {
  const { id, status, value, calls, logs, issues, planned, waits, url } = run;
  const text = JSON.stringify(value);
  // In these cases the status and the value say everything, and a person has nothing to decide.
  const isClear = status === 'refused' || (status === 'succeeded' && run.mode === 'run');
  return {
    id,
    status,
    ...(isClear ? {} : { summary: describeRun(run) }),
    ...tellValue(value, text, from),
    ...defined({
      calls: cut(tellCalls(calls)),
      logs: cut(logs.map(describeLog)),
      issues: cut((issues ?? []).map(describeIssue)),
      plan: cut((planned?.effects ?? []).map(describeEffect)),
      waits: cut(waits.map(describeRunWait)),
      next: nextStep(run) ?? tellRest(id, text, from),
      url: isClear ? undefined : url,
    }),
  };
}

/** Successive successful calls of one tool share a line. */
function tellCalls(calls: readonly RunCall[]): string[] {
  const rows: { readonly first: RunCall; last: RunCall }[] = [];
  for (const call of calls) {
    const row = rows.at(-1);
    if (row && isPlain(row.last) && isPlain(call) && row.last.tool === call.tool) row.last = call;
    else rows.push({ first: call, last: call });
  }
  return rows.map(({ first, last }) => {
    const line = describeRunCall(first).trim();
    return first === last ? line : line.replace(`${first.number}`, `${first.number}–${last.number}`);
  });
}

const isPlain = ({ status, attempts }: RunCall): boolean => status === 'ok' && attempts === undefined;

function tellValue(
  value: JsonValue | undefined,
  text: string | undefined,
  from: number,
): { value?: JsonValue; value_part?: string } {
  if (value === undefined || text === undefined) return {};
  return text.length <= maxValueChars ? { value } : { value_part: text.slice(from, endOfPart(text, from)) };
}

/** A character of two code units is not cut in half. */
function endOfPart(text: string, from: number): number {
  const end = from + maxValueChars;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

function cut(lines: readonly string[]): string[] | undefined {
  if (lines.length === 0) return undefined;
  const shown = lines.slice(-maxLines).map((line) => cutLine(line.trim()));
  return lines.length > maxLines ? [`(${lines.length - maxLines} before)`, ...shown] : shown;
}

function cutLine(line: string): string {
  const more = line.length - maxLineChars;
  return more > 0 ? `${line.slice(0, maxLineChars)} (and ${more} more characters)` : line;
}

function nextStep(run: Run): string | undefined {
  const { id, status, mode, planned, waits, url } = run;
  const where = url === undefined ? '' : ` at ${url}`;
  const ask = `run_status with the id ${id} (through call_tool, if you do not see it) says what happened next`;
  if (status === 'refused') return 'Correct these issues and call run_code again.';
  if (status === 'queued') return `It goes on in its turn. Do not start it again: ${ask}.`;
  if (status === 'running') return `It still runs. Do not start it again: ${ask}.`;
  if (status === 'in_doubt' || waits.some((wait) => wait.for !== 'time'))
    return `Tell the person that they must decide or answer${where}. The run then goes on by itself. Do not start it again: what it has done would be done twice. ${ask}.`;
  if (status === 'waiting') return `It goes on by itself. Do not start it again: ${ask}.`;
  if (mode === 'plan' && status === 'succeeded' && planned?.status === 'pending')
    return `Tell the person to approve the plan${where}. Then call run_code with the same code and plan: "${id}".`;
  if (mode === 'plan' && status === 'succeeded' && planned?.status === 'approved')
    return `Call run_code with the same code and plan: "${id}".`;
  return status === 'succeeded' ? undefined : warnOfEffects(run);
}

/** For a value of which only a part is told. Without it, a model may run the whole program again. */
function tellRest(id: string, text = '', from = 0): string | undefined {
  const end = endOfPart(text, from);
  if (text.length <= end) return undefined;
  return `The value has ${text.length} characters. To see the rest, do not run the program again: run_status with the id ${id} and value_from ${end} (through call_tool, if you do not see it).`;
}

/** For a program that did not come to its end. */
function warnOfEffects({ status, calls }: Run): string | undefined {
  if (!calls.some((call) => ['ok', 'running', 'in_doubt'].includes(call.status))) return undefined;
  const left =
    status === 'cancelled'
      ? ', and ask before you do what is left, since somebody stopped it'
      : ': start a program that does only what is left';
  return `What its calls have changed stays changed. Do not repeat it${left}.`;
}
