/** `helve approvals`: calls that wait for a person, and the person's word. */
import type { Command } from 'commander';
import { action, type CliSettings, withSharedOptions } from '../context.js';

export function addApprovals(program: Command, settings: CliSettings): void {
  const command = withSharedOptions(program.command('approvals').description('calls that wait for a person'), settings);
  command.option('--all', 'also those that were decided').action(
    action<[{ all?: boolean }]>(async ({ client, output }, { all }) => {
      const { approvals } = await client.call('GET /api/approvals', { query: all ? {} : { status: 'pending' } });
      const rows = approvals.map((approval) => ({ ...approval, who: approval.principal.name }));
      output.table(rows, ['id', 'status', 'who', 'tool', 'arguments', 'expiresAt'], 'Nothing waits.');
    }),
  );
  for (const [name, decision] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    withSharedOptions(program.command(`${name} <id>`).description(`${name} a waiting call`), settings).action(
      action<[string]>(async ({ client, output }, id) => {
        const approval = await client.call('POST /api/approvals/:id/decision', { params: { id }, body: { decision } });
        output.value(approval, `${approval.tool} is ${approval.status}.`);
      }),
    );
  }
}
