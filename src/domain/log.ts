/** The lines that a process writes for its operator. The audit record says what happened; the log says how the process is doing. */

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
