/** What a process writes for whoever runs it, line by line. The audit record says what happened; this says how the process does. */

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Ids, codes, numbers and names that Helve gives. Never arguments, answers, headers or whole addresses. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  /** An error that callers do not see. Repeated ones are counted instead of written. */
  error(error: unknown): void;
  write(level: Exclude<LogLevel, 'error'>, event: string, facts?: LogFacts): void;
  /** All lines that `work` causes carry the id of the request. */
  within<T>(requestId: string, work: () => T): T;
}
