/** What lists and figures need of a call, from the rows of its start and its end. */
import type { AuditEvent } from '../../domain/audit.js';
import type { ExecutionStatus } from '../../domain/execution.js';
import { isPlainObject } from '../../util/canonical.js';
import type { CallFacts } from './columns.js';

export const endTypes = ['execution.finished', 'execution.refused', 'execution.interrupted'] as const;

export function isEnd({ type }: Pick<AuditEvent, 'type'>): boolean {
  return endTypes.some((one) => one === type);
}

/** `end`: undefined while the call runs. */
export function readStatus(end: Pick<AuditEvent, 'type' | 'body'> | undefined): ExecutionStatus {
  if (!end) return 'running';
  if (end.type === 'execution.refused') return 'refused';
  if (end.type === 'execution.interrupted') return 'interrupted';
  return end.body.status === 'ok' ? 'ok' : 'failed';
}

/** `now`, in milliseconds: how long a running call has taken so far. At least one row is given. */
export function readCall(start: AuditEvent | undefined, end: AuditEvent | undefined, now: number): CallFacts {
  const last = (end ?? start) as AuditEvent;
  const body = { ...start?.body, ...end?.body };
  const { error } = body;
  // The row of an interrupted call does not say for whom it was made.
  const onBehalfOf = last.onBehalfOf ?? start?.onBehalfOf;
  const tool = last.tool ?? '';
  return {
    seq: last.seq,
    endedAt: end === undefined ? now : Date.parse(end.at),
    durationMs: end === undefined ? now - Date.parse(last.at) : readNumber(body.durationMs, -1),
    characters: readNumber(body.characters, 0),
    kept: readNumber(body.kept, 0),
    status: readStatus(end),
    actor: last.actor.id,
    onBehalfOf: onBehalfOf?.id ?? '',
    tool,
    toolkit: tool.includes('.') ? tool.slice(0, tool.indexOf('.')) : '',
    connection: readText(body.connectionId),
    rule: readText(body.rule),
    error: isPlainObject(error) ? readText(error.code) : '',
    risk: readText(body.risk),
    door: readText(body.door) || (typeof body.runId === 'string' ? 'program' : ''),
    principals: [last.actor, ...(onBehalfOf === undefined ? [] : [onBehalfOf])],
  };
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
const readNumber = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
