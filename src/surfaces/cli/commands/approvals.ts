/** `helve approvals` lists calls that wait for a person; `helve approve` and `helve reject` decide them. */
import type { Command } from 'commander';
import { accountLine } from '../../../util/acting-account.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

export function addApprovals(program: Command, settings: CliSettings): void {
  const command = withSharedOptions(program.command('approvals').description('calls that wait for a person'), settings);
  command.option('--all', 'include decided calls').action(
    action<[{ all?: boolean }]>(async ({ client, output }, { all }) => {
      const { approvals } = await client.call('GET /api/approvals', { query: all ? {} : { status: 'pending' } });
      const rows = approvals.map((approval) => ({
        ...approval,
        who: asker(approval),
        account: approval.account ? printable(accountLine(approval.account)) : '',
      }));
      output.table(rows, ['id', 'status', 'who', 'tool', 'account', 'arguments', 'expiresAt'], 'Nothing waits.');
    }),
  );
  withSharedOptions(
    program.command('approval <id>').description('show one waiting call with its arguments'),
    settings,
  ).action(
    action<[string]>(async ({ client, output }, id) => {
      const approval = await client.call('GET /api/approvals/:id', { params: { id } });
      const { toolkit, tool, account, reason, exact } = approval;
      const lines = [
        `${toolkit}.${tool}, requested by ${asker(approval)}. ${reason}`,
        ...(account ? [`with the account ${accountLine(account)}`] : []),
        ...(exact === false ? ['Not the exact arguments: secrets are redacted and long texts are cut.'] : []),
        ...JSON.stringify(approval.arguments, null, 2).split('\n'),
      ];
      output.value(approval, lines.map(printable).join('\n'));
    }),
  );
  for (const [name, decision] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    withSharedOptions(program.command(`${name} <id>`).description(`${name} a waiting call`), settings).action(
      action<[string]>(async ({ client, output }, id) => {
        const approval = await client.call('POST /api/approvals/:id/decision', { params: { id }, body: { decision } });
        output.value(
          approval,
          `${approval.tool}${approval.account ? ` with ${printable(accountLine(approval.account))}` : ''} is ${approval.status}.`,
        );
      }),
    );
  }
}

interface Asked {
  readonly principal: { readonly name: string };
  readonly onBehalfOf?: { readonly name: string } | undefined;
}

function asker({ principal, onBehalfOf }: Asked): string {
  return onBehalfOf === undefined ? principal.name : `${principal.name} for ${onBehalfOf.name}`;
}
