/** `helve audit`: what happened, newest first; `helve audit verify` proves that nobody changed it. */
import type { Command } from 'commander';
import { HelveError } from '../../../spec/errors.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';

interface ListOptions {
  readonly tool?: string;
  readonly text?: string;
  readonly limit?: string;
}

export function addAudit(program: Command, settings: CliSettings): void {
  const audit = program.command('audit').description('the record of what happened');
  withSharedOptions(audit.command('list', { isDefault: true }).description('newest rows first'), settings)
    .option('--tool <toolkit.name>', 'only this tool')
    .option('--text <text>', 'only rows that contain this')
    .option('--limit <rows>', 'how many', '30')
    .action(
      action<[ListOptions]>(async ({ client, output }, { tool, text, limit }) => {
        const query = {
          ...(tool === undefined ? {} : { tool }),
          ...(text === undefined ? {} : { text }),
          limit: Number(limit),
        };
        const { events } = await client.call('GET /api/audit', { query });
        const rows = output.json
          ? events
          : events.map(({ seq, at, type, actor, tool: name, body }) => ({
              seq,
              at,
              type,
              actor: actor.name,
              tool: name,
              body,
            }));
        output.table(rows, ['seq', 'at', 'type', 'actor', 'tool', 'body'], 'Nothing has happened yet.');
      }),
    );
  withSharedOptions(
    audit.command('verify').description('check the chain; names the first broken row'),
    settings,
  ).action(
    action(async ({ client, output }) => {
      const report = await client.call('GET /api/audit/verify');
      if (report.ok) return output.value(report, `${report.rows} rows, unbroken. Head: ${report.head.hash}`);
      throw new HelveError(
        'conflict',
        `The record is broken at row ${report.firstBroken?.seq}: ${report.firstBroken?.problem}`,
        {
          hint: `The ${report.rows} rows before it are whole.`,
          details: { ...report.firstBroken },
        },
      );
    }),
  );
}
