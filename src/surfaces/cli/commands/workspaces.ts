/** `helve workspaces …`: the workspaces of the installation. */
import type { Command } from 'commander';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';

interface NewWorkspaceOptions {
  readonly name?: string;
  readonly admin: string;
  readonly email?: string;
}

export function addWorkspaces(program: Command, settings: CliSettings): void {
  const workspaces = program.command('workspaces').description('the workspaces of this installation');
  const list = workspaces.command('list', { isDefault: true }).description('list workspaces');
  withSharedOptions(list, settings).action(
    action(async ({ client, output }) => {
      const { workspaces: rows } = await client.call('GET /api/workspaces');
      output.table(rows, ['id', 'slug', 'name', 'createdAt'], 'None yet: helve workspaces create <slug>');
    }),
  );
  const create = workspaces
    .command('create <slug>')
    .description('add a workspace; prints the sign-in link of its first admin');
  withSharedOptions(create, settings)
    .requiredOption('--admin <name>', 'the name of its first admin')
    .option('--email <address>', 'the admin’s e-mail address')
    .option('--name <name>', 'the name of the workspace (default: the slug)')
    .action(
      action<[string, NewWorkspaceOptions]>(async ({ client, output }, slug, { name, admin, email }) => {
        const body = { slug, admin: { name: admin, ...defined({ email }) }, ...defined({ name }) };
        const made = await client.call('POST /api/workspaces', { body });
        const until = made.expiresAt === undefined ? '' : `\nValid until ${made.expiresAt}`;
        output.value(made, `Created ${slug}. ${made.user.name} signs in with this link, once.\n${made.link}${until}`);
      }),
    );
}
