/** `helve audit` lists the record, newest first; `helve audit verify` checks that it was not changed. */
import type { Command } from 'commander';
import { HelveError } from '../../../domain/errors.js';
import type { ChainReport } from '../../../domain/plane.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import type { Output } from '../print.js';

interface ListOptions {
  readonly tool?: string;
  readonly text?: string;
  readonly limit?: string;
}

interface VerifyOptions {
  readonly after?: string;
  readonly store?: string;
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
          ...defined({ tool, text }),
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
  withSharedOptions(audit.command('verify').description('check the chain; names the first broken row'), settings)
    .option('--after <row:hash>', 'only rows after the head that an earlier check printed')
    .option('--store <file or URL>', 'check every workspace of a store that no server has open')
    .action(
      action<[VerifyOptions]>(async ({ client, output }, { after, store }) => {
        if (store !== undefined) return printStoreReports(store, output);
        const report = await client.call('GET /api/audit/verify', { query: after === undefined ? {} : { after } });
        output.value(report, proved(report));
      }),
    );
}

/** Throws `conflict` if the record is broken. */
function proved(report: ChainReport, workspace?: string): string {
  const { ok, rows, firstBroken, head } = report;
  const of = workspace === undefined ? '' : ` of ${workspace}`;
  if (ok) return `${rows} rows${of}, unbroken. Head: ${head.seq}:${head.hash}`;
  throw new HelveError('conflict', `The record${of} is broken at row ${firstBroken?.seq}: ${firstBroken?.problem}`, {
    hint: `The ${rows} rows before it are intact.`,
    details: { ...firstBroken },
  });
}

async function printStoreReports(location: string, output: Output): Promise<void> {
  const { verifyStore } = await import('../../../plane/maintenance/index.js');
  for await (const { workspace, report } of verifyStore(location))
    output.value({ workspace, ...report }, proved(report, workspace));
}
