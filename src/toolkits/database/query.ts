/** Runs one statement on one database: all kinds of databases have the same question, limits and answer. */
import type { Answer, Question, Reach } from './answer.js';
import type { DatabaseConfig, Target } from './settings.js';

export function getLimits(config: DatabaseConfig): Pick<Question, 'maxRows' | 'maxBytes' | 'timeoutMs'> {
  return { maxRows: config.max_rows, maxBytes: config.max_bytes, timeoutMs: config.timeout_seconds * 1_000 };
}

/**
 * Throws `invalid_input` with the database's own message, `timeout`, `forbidden`, `upstream_failed` or
 * `invalid_config`.
 */
export async function ask(target: Target, question: Question, reach: Reach): Promise<Answer> {
  if (target.kind === 'sqlite') return (await import('./sqlite.js')).askSqlite(target, question, reach);
  return (await import('./postgres.js')).askPostgres(target, question, reach);
}
