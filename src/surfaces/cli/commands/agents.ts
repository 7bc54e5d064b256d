/** `helve agents …`: who calls, and with what token. */
import type { Command } from 'commander';
import { action, type CliSettings, withSharedOptions } from '../context.js';

export function addAgents(program: Command, settings: CliSettings): void {
  const agents = program.command('agents').description('agents and their tokens');
  withSharedOptions(agents.command('list', { isDefault: true }).description('list agents'), settings).action(
    action(async ({ client, output }) => {
      const { agents: rows } = await client.call('GET /api/agents');
      output.table(rows, ['slug', 'name', 'managedBy', 'createdAt'], 'No agents.');
    }),
  );
  withSharedOptions(agents.command('create <slug>').description('make an agent; it may use nothing yet'), settings)
    .option('--name <name>', 'what people call it')
    .action(
      action<[string, { name?: string }]>(async ({ client, output }, slug, { name }) => {
        const agent = await client.call('POST /api/agents', {
          body: { slug, ...(name === undefined ? {} : { name }) },
        });
        output.value(
          agent,
          `Made the agent ${slug}. Next: helve grant ${slug} calculate, and helve agents token ${slug}`,
        );
      }),
    );
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
    agents.command('token <agent>').description('make a token for an agent; it is shown once'),
    settings,
  )
    .option('--days <days>', 'valid for so many days (default: until revoked)')
    .action(
      action<[string, { days?: string }]>(async ({ client, output }, agent, { days }) => {
        const body = days === undefined ? {} : { expiresInSeconds: Math.round(Number(days) * 86_400) };
        const issued = await client.call('POST /api/agents/:agent/tokens', { params: { agent }, body });
        output.value(issued, issued.secret);
      }),
    );
  withSharedOptions(
    program.command('credentials').description('list tokens and keys; secrets are never shown again'),
    settings,
  ).action(
    action(async ({ client, output }) => {
      const { credentials } = await client.call('GET /api/credentials');
      output.table(credentials, ['id', 'kind', 'name', 'prefix', 'createdAt', 'expiresAt', 'revokedAt'], 'None.');
    }),
  );
  withSharedOptions(program.command('revoke <credential>').description('end a token or key at once'), settings).action(
    action<[string]>(async ({ client, output }, id) => {
      await client.call('DELETE /api/credentials/:id', { params: { id } });
      output.value({ revoked: id }, 'Revoked.');
    }),
  );
}
