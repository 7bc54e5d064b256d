import { z } from 'zod';
import type { ClientChannel } from '../../../domain/context.js';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { ask, getLimits } from '../query.js';
import { databaseConfig, databaseEndpoints, databaseSettings, getTarget } from '../settings.js';
import { answerShape, connectionName } from '../shapes.js';
import { writeSql } from '../write-sql.js';

export const smartQueryDatabase = defineTool({
  name: 'smart_query_database',
  title: 'Ask a database in words',
  description:
    'Turn a question into one SELECT, checked against the database and shown before it runs. Where nobody can be shown it, the SQL comes back unrun: look at it, then call again with sql.',
  searchWords:
    'ask data question in plain words how many customers orders sales revenue last month which top without SQL statistics numbers from our database',
  inputSchema: z.strictObject({
    connection: connectionName,
    question: z.string().trim().min(1).max(4_000).describe('What to find out, in plain words'),
    sql: z.string().max(50_000).optional().describe('The statement of an earlier answer, to run it now'),
  }),
  outputSchema: z.strictObject({
    sql: z.string().describe('The statement'),
    ran: z.boolean(),
    model: z.string().nullable().describe('Who wrote it'),
    ...answerShape,
  }),
  configSchema: databaseConfig.extend({
    run_unshown: z.boolean().default(false).describe('Run it immediately, without showing it to a person'),
  }),
  settingsSchema: databaseSettings,
  annotations: effects.readsAnew,
  capabilities: ['query database', 'answer question'],
  examples: [{ input: { connection: 'shop', question: 'Which ten customers bought most this year?' } }],
  timeoutMs: 330_000,
  endpoints: databaseEndpoints,
  models: true,
  async execute(
    { connection, question, sql: given },
    { config, settings, connector, signal, workers, models, client },
  ) {
    const target = { ...getTarget(connection, settings, config), writes: false };
    const { language } = models;
    if (given === undefined && language === undefined) throw noModel();
    const reach = { connector, signal, workers };
    const sql = given ?? (language ? await writeSql(target, question, language, reach) : '');
    const model = given === undefined ? (language?.id ?? null) : null;
    if (given === undefined && !config.run_unshown && !(await shown(client, sql))) {
      return { sql, ran: false, model, columns: [], rows: [], row_count: 0, truncated: false };
    }
    const { columns, rows, truncated } = await ask(target, { sql, parameters: [], ...getLimits(config) }, reach);
    const found = { columns: [...columns], rows: rows.map((row) => [...row]), row_count: rows.length, truncated };
    return { sql, ran: true, model, ...found };
  },
});

/**
 * Returns whether the client agreed. The client may or may not have shown its user the statement, so this guards
 * against mistakes and does not count as an approval.
 */
async function shown(client: ClientChannel | undefined, sql: string): Promise<boolean> {
  if (!client?.elicit) return false;
  const answer = await client.elicit(`Run this?\n\n${sql}`, { type: 'object', properties: {} });
  if (answer.action === 'accept') return true;
  throw new HelveError('cancelled', 'The client did not allow this statement to run', {
    hint: 'Ask what to do instead.',
  });
}

function noModel(): HelveError {
  return new HelveError('invalid_config', 'No model is configured to write SQL', {
    hint: 'Use query_database with your own SQL, or tell the operator to set models.language in helve.yaml.',
  });
}
