/** `helve users …`: the people of the workspace, their roles, and how they sign in. */
import { type Command, Option } from 'commander';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';

type Role = 'admin' | 'auditor' | 'member';

interface UserOptions {
  readonly name?: string;
  readonly email?: string;
  readonly role?: Role;
  readonly disable?: boolean;
  readonly enable?: boolean;
}

interface RemovalOptions {
  readonly accounts?: 'remove' | 'hand_over';
  readonly to?: string;
}

const roleOption = () =>
  new Option('--role <role>', 'admin: everything; auditor: reads everything; member: their own accounts').choices([
    'admin',
    'auditor',
    'member',
  ]);

export function addUsers(program: Command, settings: CliSettings): void {
  const users = program
    .command('users')
    .description('the people of the workspace; a person is named by name, e-mail address or id');
  withSharedOptions(users.command('list', { isDefault: true }).description('list people'), settings).action(
    action(async ({ client, output }) => {
      const { users: rows } = await client.call('GET /api/users');
      output.table(rows, ['id', 'name', 'email', 'role', 'status', 'createdAt'], 'Nobody yet: helve users add <name>');
    }),
  );
  withSharedOptions(users.command('add <name>').description('invite a person; prints their sign-in link'), settings)
    .addOption(roleOption().default('member'))
    .option('--email <address>', 'their e-mail address')
    .action(
      action<[string, UserOptions]>(async ({ client, output }, name, { role = 'member', email }) => {
        const made = await client.call('POST /api/users', { body: { name, role, ...defined({ email }) } });
        output.value(made, describeLink(`Invited ${name} as ${role}.`, made));
      }),
    );
  withSharedOptions(users.command('change <person>').description('change their name, address or role'), settings)
    .addOption(roleOption())
    .option('--name <name>', 'their name')
    .option('--email <address>', 'their e-mail address')
    .option('--disable', 'they can no longer sign in, and their sessions end')
    .option('--enable', 'they can sign in again')
    .action(
      action<[string, UserOptions]>(async ({ client, output }, person, { name, email, role, disable, enable }) => {
        const disabled = disable ? true : enable ? false : undefined;
        const params = { user: person };
        const body = defined({ name, email, role, disabled });
        const user = await client.call('PATCH /api/users/:user', { params, body });
        output.value(user, `${user.name}: ${user.role}, ${user.status}`);
      }),
    );
  withSharedOptions(users.command('link <person>').description('a new sign-in link, for one use'), settings).action(
    action<[string]>(async ({ client, output }, person) => {
      const made = await client.call('POST /api/users/:user/link', { params: { user: person } });
      output.value(made, describeLink('They sign in with this link, once.', made));
    }),
  );
  withSharedOptions(users.command('remove <person>').description('remove a person; their sessions end'), settings)
    .addOption(new Option('--accounts <what>', 'what to do with their accounts').choices(['remove', 'hand_over']))
    .option('--to <person>', 'with hand_over: who gets them')
    .action(
      action<[string, RemovalOptions]>(async ({ client, output }, person, { accounts, to }) => {
        await client.call('DELETE /api/users/:user', { params: { user: person }, query: defined({ accounts, to }) });
        output.value({ removed: person }, 'Removed.');
      }),
    );
}

function describeLink(
  told: string,
  { link, expiresAt }: { readonly link: string; readonly expiresAt?: string | undefined },
) {
  return `${told}\n${link}${expiresAt === undefined ? '' : `\nValid until ${expiresAt}`}`;
}
