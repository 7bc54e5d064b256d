/**
 * Lines of JSON by pino: `time`, `level`, `event`, the id of the request, and facts. Every text passes through `redact`, also
 * those that should not contain a secret: an error of a library may quote what it was given.
 */
import type { Log, LogFacts, LogLevel } from '../domain/log.js';
import type { CallEnd } from '../domain/telemetry.js';
import { createAsyncContext } from '../util/async-context.js';
import { createErrorLog } from '../util/error-log.js';
import { readTraceparent } from './trace-context.js';

interface LogOptions {
  /** Lines of this level and of those above it are written. */
  readonly level: LogLevel;
  /** Receives each line with its end. Default: standard error. */
  readonly write?: ((line: string) => void) | undefined;
  /** Replaces what looks like a secret. */
  readonly redact: (text: string) => string;
}

const standardError = 2;

/** Loads pino, which takes 30 ms. */
export async function openLog({ level, write, redact }: LogOptions): Promise<Log> {
  const { default: pino } = await import('pino');
  const requests = createAsyncContext<{ readonly requestId: string }>();
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // A copy: pino adds the facts of the line to it.
      mixin: () => ({ ...requests.find() }),
    },
    write === undefined ? pino.destination({ dest: standardError, sync: true }) : { write },
  );
  return {
    error: createErrorLog({ write: (text) => logger.error({ event: 'error', detail: redact(text) }) }),
    write: (at, event, facts = {}) => logger[at]({ event, ...redactFacts(facts, redact) }),
    within: (requestId, work) => requests.run({ requestId }, work),
  };
}

function redactFacts(facts: LogFacts, redact: (text: string) => string): LogFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
  );
}

/** The line of a call that has ended. `warn` for what an operator should look at. */
export function logCall(log: Log, call: CallEnd): void {
  const { executionId, workspaceId, caller, door, trace, tool, kind, outcome, code, milliseconds } = call;
  log.write(troubles.has(code) ? 'warn' : 'info', 'call.ended', {
    executionId,
    traceId: trace && readTraceparent(trace.traceparent)?.traceId,
    workspaceId,
    caller: caller.id,
    callerKind: caller.kind,
    door,
    tool: tool?.name,
    toolkit: tool?.toolkit,
    kind,
    outcome,
    code,
    ms: Math.round(milliseconds * 1_000) / 1_000,
  });
}

const troubles: ReadonlySet<string> = new Set(['internal', 'storage_failed', 'outcome_unknown', 'invalid_config']);
