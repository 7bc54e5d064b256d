/**
 * `helve notifications`: the channels through which people learn what waits for them. Each person chooses in the panel
 * what they receive.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Api } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

type NewChannel = Api['POST /api/notification-channels']['body'];
type Made = Api['POST /api/notification-channels']['reply'];

interface AddOptions {
  readonly connection?: string;
  readonly to?: string;
}

interface ButtonOptions {
  readonly secretFile?: string;
  readonly off?: boolean;
}

export function addNotifications(program: Command, settings: CliSettings): void {
  const notifications = program
    .command('notifications')
    .description('where people are told what waits for them: by e-mail, in Slack or by a webhook');
  withSharedOptions(notifications.command('list', { isDefault: true }), settings)
    .description('list the channels, with what keeps them from sending')
    .action(
      action<[]>(async ({ client, output }) => {
        const { channels } = await client.call('GET /api/notification-channels');
        const rows = output.json ? channels : channels.map((one) => ({ ...one, problem: one.problem ?? 'none' }));
        output.table(rows, ['id', 'kind', 'name', 'connection', 'givenUp', 'problem'], 'There are no channels.');
      }),
    );
  withSharedOptions(notifications.command('add <kind> <name>'), settings)
    .description('add email or slack with --connection, or webhook with --to; each person then chooses in the panel')
    .option('--connection <account>', 'the account that sends: one of smtp or of slack')
    .option('--to <address>', 'where a webhook goes')
    .action(
      action<[NewChannel['kind'], string, AddOptions]>(async ({ client, output }, ...[kind, name, options]) => {
        const { connection, to: url } = options;
        const body = { kind, name, ...defined({ connection, url }) };
        const made = await client.call('POST /api/notification-channels', { body });
        output.value(made, printable(tell(made).join('\n')));
      }),
    );
  withSharedOptions(notifications.command('buttons <id>'), settings)
    .description('let people decide calls in the messages of a Slack channel; --off ends this')
    .option('--secret-file <path>', 'a file with the signing secret of the Slack app; - reads standard input')
    .option('--off', 'end this; the secret is deleted')
    .action(
      action<[string, ButtonOptions]>(async ({ client, output }, ...[id, options]) => {
        const body = { signingSecret: readSigningSecret(options) };
        const changed = await client.call('PATCH /api/notification-channels/:id', { params: { id }, body });
        const told = changed.buttons
          ? `Calls can now be decided in the messages of ${changed.name}.`
          : `The messages of ${changed.name} no longer have buttons.`;
        output.value(changed, printable(told));
      }),
    );
  withSharedOptions(notifications.command('remove <id>'), settings)
    .description('remove a channel, with what people chose for it')
    .action(
      action<[string]>(async ({ client, output }, id) => {
        await client.call('DELETE /api/notification-channels/:id', { params: { id } });
        output.value({ removed: id }, `${printable(id)} is removed.`);
      }),
    );
}

/** Null: no buttons. A secret is not taken from the command line, which others can read. */
function readSigningSecret({ secretFile, off }: ButtonOptions): string | null {
  if (off === true && secretFile === undefined) return null;
  if (off !== true && secretFile !== undefined) return readFileSync(secretFile === '-' ? 0 : secretFile, 'utf8').trim();
  throw new HelveError('invalid_input', 'Either --secret-file or --off is needed', {
    hint: 'In Slack: the app, Basic Information, Signing Secret. Write it into a file that only you can read.',
  });
}

function tell({ channel, secret }: Made): readonly string[] {
  const { id, kind, name, problem } = channel;
  return [
    `${id}  ${kind} ${name}`,
    ...(secret === undefined ? [] : [`Its secret, shown only now: ${secret}`]),
    ...(problem === undefined ? [] : [problem]),
    'Each person chooses in the panel, in Settings, Notifications, what reaches them.',
  ];
}
