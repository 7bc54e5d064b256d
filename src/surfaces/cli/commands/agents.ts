/** `helve agents …` manages agents and their tokens. */
import { type Command, Option } from 'commander';
import { HelveError } from '../../../domain/errors.js';
import type { AgentSettings } from '../../../domain/plane.js';
import type { Permission } from '../../../domain/principal.js';
import { toolModes } from '../../../domain/tool-mode.js';
import { workerKinds } from '../../../domain/worker-kind.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { daysInSeconds } from '../numbers.js';

const toolModeHelp =
  'how the agent sees its tools: auto, direct (all), meta (search, describe, call, run code) or code (programs)';

interface AgentOptions {
  readonly name?: string;
  readonly toolMode?: string;
  readonly worker?: string;
}

const workerHelp = `whose loop works on its issues: ${workerKinds.join(', ')}`;

function settingsIn({ name, toolMode, worker: given }: AgentOptions): AgentSettings {
  const worker = workerKinds.find((one) => one === given);
  if (given !== undefined && worker === undefined)
    throw new HelveError('invalid_input', `--worker: ${JSON.stringify(given)} is not a worker`, {
      hint: `Use ${workerKinds.join(', ')}.`,
    });
  const mode = toolModes.find((one) => one === toolMode);
  if (toolMode !== undefined && mode === undefined)
    throw new HelveError('invalid_input', `--tool-mode: ${JSON.stringify(toolMode)} is not a tool mode`, {
      hint: `Use ${toolModes.join(', ')}.`,
    });
  return { ...defined({ name, toolMode: mode, worker }) };
}

export function addAgents(program: Command, settings: CliSettings): void {
  const agents = program.command('agents').description('agents and their tokens');
  withSharedOptions(agents.command('list', { isDefault: true }).description('list agents'), settings).action(
    action(async ({ client, output }) => {
      const { agents: rows } = await client.call('GET /api/agents');
      output.table(rows, ['slug', 'name', 'managedBy', 'createdAt'], 'No agents.');
    }),
  );
  withSharedOptions(agents.command('create <slug>').description('create an agent, without any grants'), settings)
    .option('--name <name>', 'display name')
    .option('--tool-mode <mode>', toolModeHelp)
    .option('--worker <worker>', workerHelp)
    .action(
      action<[string, AgentOptions]>(async ({ client, output }, slug, options) => {
        const agent = await client.call('POST /api/agents', { body: { slug, ...settingsIn(options) } });
        output.value(
          agent,
          `Created the agent ${slug}. Next: helve grant ${slug} calculate, and helve agents token ${slug}`,
        );
      }),
    );
  withSharedOptions(
    agents.command('change <agent>').description('change its name, how it sees its tools, or its worker'),
    settings,
  )
    .option('--name <name>', 'display name')
    .option('--tool-mode <mode>', toolModeHelp)
    .option('--worker <worker>', workerHelp)
    .action(
      action<[string, AgentOptions]>(async ({ client, output }, agent, options) => {
        const body = settingsIn(options);
        const changed = await client.call('PATCH /api/agents/:agent', { params: { agent }, body });
        output.value(changed, `Changed the agent ${agent}.`);
      }),
    );
  withSharedOptions(
    agents.command('can <agent>').description('what it can call, what that costs in context, and what it cannot'),
    settings,
  ).action(
    action<[string]>(async ({ client, output }, agent) => {
      const can = await client.call('GET /api/agents/:agent/effective', { params: { agent } });
      if (output.json) return output.value(can, '');
      output.table(can.tools, ['name', 'connection', 'risk', 'approval', 'rule', 'tokens'], 'It can call nothing.');
      const { shows, reason, tokens } = can.mode;
      const list = { tools: 'every tool', meta: 'the tools that find and call them', code: 'the tools of code mode' };
      output.line(
        `${can.tools.length} tools, ${can.tokens} tokens. Its list has ${list[shows]}: ${tokens} tokens. ${reason}.`,
      );
      for (const { tool, connection = '', reason: why } of can.notOffered)
        output.line(`Granted, but not offered: ${tool} ${connection}. ${why}.`);
    }),
  );
  addRemovalAndToken(agents, settings);
  addCredentials(program, settings);
}

function addRemovalAndToken(agents: Command, settings: CliSettings): void {
  withSharedOptions(
    agents.command('remove <agent>').description('remove an agent with its grants and tokens'),
    settings,
  ).action(
    action<[string]>(async ({ client, output }, agent) => {
      await client.call('DELETE /api/agents/:agent', { params: { agent } });
      output.value({ removed: agent }, `Removed the agent ${agent}.`);
    }),
  );
  withSharedOptions(
    agents.command('token <agent>').description('create a token for an agent; it is shown once'),
    settings,
  )
    .option('--days <days>', 'days until it expires (default: valid until revoked)', daysInSeconds)
    .action(
      action<[string, { days?: number }]>(async ({ client, output }, agent, { days: expiresInSeconds }) => {
        const body = defined({ expiresInSeconds });
        const issued = await client.call('POST /api/agents/:agent/tokens', { params: { agent }, body });
        output.value(issued, issued.secret);
      }),
    );
}

const keyRoles = ['admin', 'auditor', 'member'] as const;

interface KeyOptions {
  readonly role?: (typeof keyRoles)[number];
  readonly permissions?: string;
  /** In seconds. */
  readonly days?: number;
}

function addCredentials(program: Command, settings: CliSettings): void {
  withSharedOptions(
    program.command('credentials').description('list tokens and keys; secrets are never shown again'),
    settings,
  ).action(
    action(async ({ client, output }) => {
      const { credentials } = await client.call('GET /api/credentials');
      output.table(credentials, ['id', 'kind', 'name', 'prefix', 'createdAt', 'expiresAt', 'revokedAt'], 'None.');
    }),
  );
  withSharedOptions(program.command('key <name>').description('create an API key; it is shown once'), settings)
    .addOption(new Option('--role <role>', 'it may do what a person with this role may').choices([...keyRoles]))
    .option('--permissions <names>', 'instead of a role: permissions, separated by commas')
    .option('--days <days>', 'days until it expires (default: valid until revoked)', daysInSeconds)
    .action(
      action<[string, KeyOptions]>(async ({ client, output }, name, { role, permissions, days: expiresInSeconds }) => {
        const listed = permissions?.split(',').map((one) => one.trim()) as Permission[] | undefined;
        const body = { name, ...defined({ role, permissions: listed, expiresInSeconds }) };
        const issued = await client.call('POST /api/keys', { body });
        output.value(issued, issued.secret);
      }),
    );
  withSharedOptions(program.command('revoke <credential>').description('revoke a token or key'), settings).action(
    action<[string]>(async ({ client, output }, id) => {
      await client.call('DELETE /api/credentials/:id', { params: { id } });
      output.value({ revoked: id }, 'Revoked.');
    }),
  );
}
