/**
 * A GraphQL server with Linear's published schema: graphql-yoga validates every document and variable against it. Fields
 * that nobody set are mocked; what is created, changed or deleted is kept in the mock store and can be read back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addMocksToSchema, createMockStore } from '@graphql-tools/mock';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { createYoga } from 'graphql-yoga';
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { furnish } from './furnish.js';
import { createResolvers } from './resolvers.js';
import { createWorkspace, time, type Workspace } from './workspace.js';

const schemaFile = new URL('../../../../../shared/data/linear/schema.graphql', import.meta.url);

/** Why there is no counterpart; undefined if there can be one. */
export const schemaMissing: string | undefined = existsSync(schemaFile)
  ? undefined
  : 'there is no ../shared/data/linear/schema.graphql beside the repository';

const mocks = {
  DateTime: () => time,
  TimelessDate: () => '2026-01-31',
  Duration: () => 'P1D',
  JSON: () => ({}),
  JSONObject: () => ({}),
  UUID: () => '00000000-0000-4000-8000-000000000099',
};

/** A counterpart whose data a test can read and change. */
export interface LinearCounterpart extends Counterpart {
  readonly workspace: Workspace;
}

export async function startLinear(): Promise<LinearCounterpart> {
  const schema = makeExecutableSchema({ typeDefs: readFileSync(schemaFile, 'utf8') });
  const store = createMockStore({ schema, mocks });
  const workspace = createWorkspace(store);
  furnish(workspace);
  // Its types allow only resolvers that return values; ours return references into the store.
  const resolvers = createResolvers(workspace) as never;
  const yoga = createYoga({
    schema: addMocksToSchema({ schema, store, mocks, resolvers }),
    maskedErrors: false,
    logging: false,
    landingPage: false,
    graphiql: false,
  });
  const server = createServer(yoga);
  // Longer than a test waits between two requests: a request on a connection that ends at that moment fails.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    workspace,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
