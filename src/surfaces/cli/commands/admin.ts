/** `helve admin` prints a new one-time link to the admin pages. */
import type { Command } from 'commander';
import { action, type CliSettings, withSharedOptions } from '../context.js';

export function addAdmin(program: Command, settings: CliSettings): void {
  const command = program.command('admin').description('print a link that signs you in to the admin pages once');
  withSharedOptions(command, settings).action(
    action(async ({ client, output, url }) => {
      const issued = await client.call('POST /api/admin-links');
      const link = `${url}/admin/login?token=${issued.secret}`;
      output.value({ link, expiresAt: issued.credential.expiresAt }, link);
    }),
  );
}
