/** Accounts: add, connect, remove. The provider's callback is in pages/connect.ts. */
import { z } from 'zod';
import {
  addConnectionBody,
  authCheck,
  authClientBody,
  changeConnectionBody,
  connectBody,
  connected,
  connection,
  connectionCheck,
  connectionParams,
  connectionUsage,
  definitionBody,
  definitionParams,
  disconnectBody,
  disconnectReport,
  pendingDefinition,
  providerParams,
  rotation,
  scheme,
  toolkitParams,
  usedApp,
  withdrawal,
  withdrawalParams,
} from '../../../api/index.js';
import type { ConnectionInput } from '../../../domain/accounts.js';
import { HelveError } from '../../../domain/errors.js';
import type { Plane } from '../../../domain/plane.js';
import type { Principal } from '../../../domain/principal.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listConnected = defineRoute({
  method: 'GET',
  path: '/api/tools/connected',
  summary: 'The connections of the workspace that the caller can see',
  acts: ['connections'],
  reply: z.object({ connections: z.array(connection) }),
  async handle({ plane, principal }) {
    return { connections: await plane.connections(principal) };
  },
});

export const getConnection = defineRoute({
  method: 'GET',
  path: '/api/connections/:connection',
  summary: 'One connection, by id or slug',
  acts: ['connection'],
  params: connectionParams,
  reply: connection,
  handle: ({ plane, principal, params }) => plane.connection(principal, params.connection),
});

export const listSchemes = defineRoute({
  method: 'GET',
  path: '/api/tools/:toolkit/schemes',
  summary: 'The ways to sign in to a toolkit, and the fields of each',
  acts: ['connectionSchemes'],
  params: toolkitParams,
  reply: z.object({ schemes: z.array(scheme) }),
  async handle({ plane, principal, params }) {
    return { schemes: await plane.connectionSchemes(principal, params.toolkit) };
  },
});

export const addToWorkspace = defineRoute({
  method: 'POST',
  path: '/api/tools/add-to-workspace',
  summary: 'Add an app: as a connection without a sign-in yet or, if it has no accounts, for immediate use',
  acts: ['addConnection', 'withoutAccounts', 'useToolkit'],
  body: addConnectionBody,
  reply: z.union([connection, usedApp]),
  status: 201,
  async handle({ plane, principal, body }) {
    const input = getInput(body);
    if (!(await plane.withoutAccounts(principal, input.toolkit))) return plane.addConnection(principal, input);
    await plane.useToolkit(principal, input.toolkit, true);
    return { toolkit: input.toolkit, status: 'active' as const };
  },
});

export const connect = defineRoute({
  method: 'POST',
  path: '/api/tools/connect',
  summary: 'Connect an account, with credentials or by a sign-in link',
  acts: ['connect', 'addConnection', 'removeConnection', 'connections'],
  body: connectBody,
  reply: connected,
  async handle({ plane, principal, body }) {
    const { connection: known, credentials, tools, scopes, check, way, ...rest } = body;
    const before = known ?? (await addedBefore(plane, principal, rest));
    const id = before ?? (await plane.addConnection(principal, getInput(rest))).id;
    try {
      return await plane.connect(principal, id, {
        ...defined({ credentials, tools, scopes, check, way }),
      });
    } catch (error) {
      // A connection that was added only for this request is removed again, so that the next attempt gets the same slug.
      if (before === undefined) await plane.removeConnection(principal, id);
      throw error;
    }
  },
});

export const changeConnection = defineRoute({
  method: 'PUT',
  path: '/api/connections/:connection',
  summary: 'Rename a connection, or change who sees it',
  acts: ['changeConnection'],
  params: connectionParams,
  body: changeConnectionBody,
  reply: connection,
  handle: ({ plane, principal, params, body: { name, visibility } }) =>
    plane.changeConnection(principal, params.connection, {
      ...defined({ name, visibility }),
    }),
});

export const checkConnection = defineRoute({
  method: 'POST',
  path: '/api/connections/:connection/check',
  summary: 'Ask the service now whether an account still works',
  acts: ['checkConnection'],
  params: connectionParams,
  reply: connectionCheck,
  handle: ({ plane, principal, params }) => plane.checkConnection(principal, params.connection),
});

export const disconnect = defineRoute({
  method: 'POST',
  path: '/api/tools/disconnect',
  summary: 'End a connection here and at the service, or remove an app without accounts',
  acts: ['disconnect', 'withoutAccounts', 'useToolkit', 'removeConnection', 'connections'],
  body: disconnectBody,
  reply: z.union([disconnectReport, usedApp]),
  async handle({ plane, principal, body }) {
    const app = body.toolkit ?? body.app_name;
    if (body.connection === undefined && app !== undefined && (await plane.withoutAccounts(principal, app))) {
      await plane.useToolkit(principal, app, false);
      return { toolkit: app, status: 'available' as const };
    }
    const id = body.connection ?? (await onlyConnection(plane, principal, app));
    return body.remove ? plane.removeConnection(principal, id) : plane.disconnect(principal, id);
  },
});

export const getUsage = defineRoute({
  method: 'GET',
  path: '/api/connections/:connection/usage',
  summary: 'Who uses an account: agents, their tools, their calls, and when last',
  acts: ['connectionUsage'],
  params: connectionParams,
  reply: connectionUsage,
  async handle({ plane, principal, params }) {
    const { agents, ...usage } = await plane.connectionUsage(principal, params.connection);
    return { ...usage, agents: agents.map((agent) => ({ ...agent, tools: [...agent.tools] })) };
  },
});

export const withdrawConnection = defineRoute({
  method: 'DELETE',
  path: '/api/connections/:connection/agents/:agent',
  summary: 'Take an account away from an agent: all of its grants over it end',
  acts: ['withdrawConnection'],
  params: withdrawalParams,
  reply: withdrawal,
  async handle({ plane, principal, params }) {
    const { removed } = await plane.withdrawConnection(principal, params.connection, params.agent);
    return { removed: [...removed] };
  },
});

export const disconnectAll = defineRoute({
  method: 'POST',
  path: '/api/connections/disconnect-all',
  summary: 'The kill switch: end every connection of the workspace',
  acts: ['disconnectAll'],
  reply: z.object({ reports: z.array(disconnectReport) }),
  async handle({ plane, principal }) {
    return { reports: await plane.disconnectAll(principal) };
  },
});

export const putAuthClient = defineRoute({
  method: 'PUT',
  path: '/api/auth-clients/:provider',
  summary: 'The workspace’s own OAuth client at a provider',
  acts: ['putAuthClient'],
  params: providerParams,
  body: authClientBody,
  async handle({ plane, principal, params, body: { clientId, clientSecret, overrides } }) {
    await plane.putAuthClient(principal, params.provider, {
      clientId,
      ...defined({ clientSecret, overrides }),
    });
    return undefined;
  },
});

export const removeAuthClient = defineRoute({
  method: 'DELETE',
  path: '/api/auth-clients/:provider',
  summary: 'Go back to the installation’s OAuth client',
  acts: ['removeAuthClient'],
  params: providerParams,
  async handle({ plane, principal, params }) {
    await plane.removeAuthClient(principal, params.provider);
    return undefined;
  },
});

export const authChecks = defineRoute({
  method: 'GET',
  path: '/api/auth-checks',
  summary: 'Which OAuth clients to create where, and the problems of existing ones',
  acts: ['authChecks'],
  reply: z.object({ checks: z.array(authCheck) }),
  async handle({ plane, principal }) {
    return { checks: await plane.authChecks(principal) };
  },
});

export const rotateVault = defineRoute({
  method: 'POST',
  path: '/api/vault/rotate',
  summary: 'Seal every stored secret under a new key, and retire the old ones',
  acts: ['rotateVault'],
  reply: rotation,
  handle: ({ plane, principal }) => plane.rotateVault(principal),
});

export const listDefinitions = defineRoute({
  method: 'GET',
  path: '/api/definitions',
  summary: 'Tools whose definitions have changed, and which are not called until someone accepts the change',
  acts: ['pendingDefinitions'],
  reply: z.object({ definitions: z.array(pendingDefinition) }),
  async handle({ plane, principal }) {
    return { definitions: await plane.pendingDefinitions(principal) };
  },
});

export const acceptDefinition = defineRoute({
  method: 'POST',
  path: '/api/definitions/:toolkit/:tool/accept',
  summary: 'Accept a tool’s changed definition by its hash',
  acts: ['acceptDefinition'],
  params: definitionParams,
  body: definitionBody,
  async handle({ plane, principal, params, body }) {
    await plane.acceptDefinition(principal, params.toolkit, params.tool, body.hash);
    return undefined;
  },
});

interface Named
  extends Omit<{ readonly [Key in keyof ConnectionInput]?: ConnectionInput[Key] | undefined }, 'toolkit'> {
  readonly toolkit?: string | undefined;
  readonly app_name?: string | undefined;
}

/** Finds an app that was added and waits for its account, unless another connection is named. */
async function addedBefore(
  plane: Pick<Plane, 'connections'>,
  principal: Principal,
  named: Named,
): Promise<string | undefined> {
  if (named.name !== undefined || named.visibility !== undefined) return undefined;
  const { toolkit, scheme: way } = getInput(named);
  const mine = await plane.connections(principal);
  return mine.find((one) => one.toolkit === toolkit && one.status === 'added' && (way ?? one.scheme) === one.scheme)
    ?.id;
}

/** The app's one connection that has not ended. Throws `invalid_input` if there are several. */
async function onlyConnection(
  plane: Pick<Plane, 'connections'>,
  principal: Principal,
  app: string | undefined,
): Promise<string> {
  if (app === undefined) throw new HelveError('invalid_input', 'The body does not match: /connection is missing');
  const mine = (await plane.connections(principal)).filter(
    ({ toolkit, status }) => toolkit === app && status !== 'revoked',
  );
  const [first, ...others] = mine;
  if (first && others.length === 0) return first.id;
  if (!first) throw new HelveError('not_found', `${app.slice(0, 100)} is not connected`);
  throw new HelveError('invalid_input', `${app} has ${mine.length} connections`, {
    hint: `Name one of ${mine.map(({ slug }) => slug).join(', ')}.`,
  });
}

function getInput({ toolkit, app_name, name, visibility, scheme: way }: Named): ConnectionInput {
  const slug = toolkit ?? app_name;
  if (slug === undefined) throw new HelveError('invalid_input', 'The body does not match: /toolkit is missing');
  return {
    toolkit: slug,
    ...defined({ name, visibility, scheme: way }),
  };
}
