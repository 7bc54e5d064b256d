import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { ask, getLimits } from '../query.js';
import { databaseConfig, databaseEndpoints, databaseSettings, getTarget } from '../settings.js';
import { answerShape, connectionName } from '../shapes.js';

/** Runs one statement of the caller. Its limits and whether it may write come from the settings, not from the input. */
export const queryDatabase = defineTool({
  name: 'query_database',
  title: 'Query a database',
  description:
    'Run one SQL statement and return its rows. Read-only unless the operator allows writes. Pass values as parameters, never inside the text.',
  searchWords: 'SQL select rows table records postgres mysql sqlite count join insert update',
  inputSchema: z.strictObject({
    connection: connectionName,
    sql: z
      .string()
      .min(1)
      .max(50_000)
      .describe('One statement; $1, $2 … (PostgreSQL) or ?1, ?2 … (SQLite) for parameters'),
    parameters: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .max(500)
      .default([])
      .describe('Values for the parameters, in order'),
    max_rows: z.int().min(1).max(100_000).optional().describe('Fewer rows than the limit'),
  }),
  outputSchema: z.strictObject({ ...answerShape, changed: z.int().optional().describe('Rows that a write changed') }),
  configSchema: databaseConfig,
  settingsSchema: databaseSettings,
  annotations: local(effects.runs),
  idempotency: { by: 'probe', how: 'A statement that may write nothing is sent again; any other is left to a person' },
  risk: 'write',
  capabilities: ['query database', 'run sql'],
  examples: [
    { input: { connection: 'shop', sql: 'select name from customers where city = $1 limit 10', parameters: ['Oslo'] } },
  ],
  timeoutMs: 330_000,
  endpoints: databaseEndpoints,
  check({ connection, parameters }, { config, settings }) {
    getTarget(connection, settings, config);
    refuseRounded(parameters);
  },
  async probe({ connection }, { config, settings }) {
    if (!getTarget(connection, settings, config).writes) return undefined;
    throw new HelveError('outcome_unknown', 'The statement may have written');
  },
  async execute({ connection, sql, parameters, max_rows }, { config, settings, connector, signal, workers }) {
    const target = getTarget(connection, settings, config);
    refuseRounded(parameters);
    const limits = getLimits(config);
    const maxRows = Math.min(max_rows ?? limits.maxRows, limits.maxRows);
    const { columns, rows, truncated, changed } = await ask(
      target,
      { sql, parameters, ...limits, maxRows },
      { connector, signal, workers },
    );
    const found = { columns: [...columns], rows: rows.map((row) => [...row]), row_count: rows.length, truncated };
    return { ...found, ...defined({ changed }) };
  },
});

/** An integer of 64 bits that came as a number, which holds 53, was rounded when it was read: it would name another row. */
function refuseRounded(parameters: readonly unknown[]): void {
  const at = parameters.findIndex(
    (value) => Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) <= 2 ** 64,
  );
  if (at === -1) return;
  throw new HelveError(
    'invalid_input',
    `parameters/${at} has more digits than a number holds exactly: it was rounded to ${parameters[at]}`,
    { hint: 'The statement was not run. Send the digits as text, in quotes: the database reads them as a number.' },
  );
}
