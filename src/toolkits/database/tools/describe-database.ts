import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { describe } from '../describe.js';
import { databaseConfig, databaseEndpoints, databaseSettings, getTarget } from '../settings.js';
import { connectionName } from '../shapes.js';

export const describeDatabase = defineTool({
  name: 'describe_database',
  title: 'Describe a database',
  description:
    'The tables of a database with their columns, types and keys. Without a connection: the databases there are.',
  searchWords: 'schema tables columns structure fields keys which databases are there data model',
  inputSchema: z.strictObject({ connection: connectionName.optional() }),
  outputSchema: z.strictObject({
    databases: z.array(
      z.strictObject({ connection: z.string(), kind: z.string(), description: z.string().optional() }),
    ),
    tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })),
    truncated: z.boolean(),
  }),
  configSchema: databaseConfig,
  settingsSchema: databaseSettings,
  annotations: local(effects.reads),
  capabilities: ['describe database', 'list tables'],
  examples: [{ input: { connection: 'shop' } }],
  endpoints: databaseEndpoints,
  async execute({ connection }, { config, settings, connector, signal, workers }) {
    const names = config.allowed_connections.filter((name) => Object.hasOwn(settings.connections, name));
    const databases = names.map((name) => {
      const { description } = settings.connections[name] ?? {};
      const { kind } = getTarget(name, settings, config);
      return { connection: name, kind, ...defined({ description }) };
    });
    if (connection === undefined) return { databases, tables: [], truncated: false };
    const { tables, truncated } = await describe(getTarget(connection, settings, config), {
      connector,
      signal,
      workers,
    });
    return { databases, tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })), truncated };
  },
});
