/** `helve audit` lists the record, newest first; `verify` checks that it was not changed, `export` prints it as lines of JSON. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Api, HelveClient } from '../../../api/index.js';
import { readEnvironment } from '../../../config/index.js';
import type { ChainReport, RowName } from '../../../domain/chain.js';
import { HelveError } from '../../../domain/errors.js';
import type { Archived } from '../../../plane/maintenance/index.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, type CommandContext, fail, withSharedOptions } from '../context.js';
import { wholeNumber } from '../numbers.js';
import { offline } from '../offline.js';
import { createProgress } from '../progress.js';

type Row = Api['GET /api/audit']['reply']['events'][number];
type Filter = NonNullable<Api['GET /api/audit/export']['query']>;

interface FilterOptions {
  readonly types?: string;
  readonly tool?: string;
  readonly actor?: string;
  readonly execution?: string;
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
}

interface ArchiveOptions {
  /** Days. */
  readonly keep: number;
  readonly to: string;
  readonly data: string;
}

interface VerifyOptions {
  readonly after?: string;
  readonly checkpoint?: string;
  readonly store?: string;
  readonly archives?: string;
  readonly data: string;
}

export function addAudit(program: Command, settings: CliSettings): void {
  const audit = program.command('audit').description('the record of what happened');
  withFilter(withSharedOptions(audit.command('list', { isDefault: true }).description('newest rows first'), settings))
    .option('--limit <rows>', 'how many', wholeNumber, 30)
    .action(
      action<[FilterOptions & { limit: number }]>(async ({ client, output }, options) => {
        const filter = getFilter(options);
        const query = { ...filter, limit: options.limit };
        const { events } = await client.call('GET /api/audit', { query });
        const rows = output.json ? events : events.map(tellRow);
        const empty = Object.keys(filter).length === 0 ? 'Nothing has happened yet.' : 'No row matches.';
        output.table(rows, ['seq', 'at', 'type', 'actor', 'tool', 'account', 'rule', 'details'], empty);
      }),
    );
  withFilter(
    withSharedOptions(
      audit.command('export').description('the whole record as lines of JSON; with a filter the rows that match'),
      settings,
    ),
  ).action(action<[FilterOptions]>(({ client }, options) => printExport(client, getFilter(options))));
  withSharedOptions(audit.command('verify').description('check the chain; names the first broken row'), settings)
    .option('--after <row:hash>', 'only rows after the head that an earlier check printed')
    .option('--checkpoint <text>', 'only rows after the checkpoint that an earlier check printed with --json')
    .option('--store <file or URL>', 'check every workspace of a store that no server has open')
    .option('--archives <folder>', 'with --store: read the archives there too, from the first row on')
    .action(function (this: Command, options: VerifyOptions, command: Command) {
      return (options.store === undefined ? checkServer : checkStore).call(this, options, command);
    });
  addArchive(audit, settings);
}

const checkServer = action<[VerifyOptions]>(async (context, { after, checkpoint }) => {
  const { client, output } = context;
  const report =
    after === undefined
      ? await followCheck(context, checkpoint)
      : await client.call('GET /api/audit/verify', { query: { after } });
  output.value(report, proved(report));
});

const checkStore = offline<[VerifyOptions]>(async ({ output }, { store = '', archives, data }) => {
  const { verifyStore } = await import('../../../plane/maintenance/index.js');
  const { vaultKeys } = readEnvironment();
  let broken: unknown;
  for await (const { workspace, archives: read, report } of verifyStore(store, {
    archives,
    keys: { dataDir: resolve(data), vaultKeys },
  }))
    try {
      output.value({ workspace, archives: read, ...report }, proved(report, workspace, read));
    } catch (error) {
      // The records of the other workspaces are told of too.
      if (broken !== undefined) fail(broken, output);
      broken = error;
    }
  if (broken !== undefined) throw broken;
});

function addArchive(audit: Command, settings: CliSettings): void {
  audit
    .command('archive')
    .description('move old rows to signed files, also while a server uses the store')
    .requiredOption('--keep <days>', 'how long rows stay in the store: 400d', parseDays)
    .requiredOption('--to <folder>', 'folder for the files')
    .option('--data <folder>', 'data folder (HELVE_DATA)', settings.dataDir)
    .option('--json', 'print JSON for programs')
    .action(
      offline<[ArchiveOptions]>(async ({ output, signal }, { keep, to, data }) => {
        const { archiveRecord, getLocation } = await import('../../../plane/maintenance/index.js');
        const { databaseUrl, vaultKeys } = readEnvironment();
        const dataDir = resolve(data);
        const location = getLocation({ dataDir, ...defined({ database: databaseUrl }) });
        const choices = { location, dataDir, vaultKeys, keepDays: keep, folder: resolve(to), signal };
        const done: Archived[] = [];
        for await (const one of archiveRecord(choices)) {
          done.push(one);
          const { firstSeq, last } = one.archive;
          if (!output.json) output.line(`${one.file}: rows ${firstSeq} to ${last.seq} of ${one.workspace}`);
        }
        if (output.json) output.value(done, '');
        else if (done.length === 0) output.line('No rows are old enough to fill an archive.');
      }),
    );
}

/** Prevents a typing error from emptying the record. */
const leastDays = 30;

function parseDays(text: string): number {
  const days = Number(/^(\d{1,5})d$/.exec(text)?.[1]);
  if (days >= leastDays) return days;
  throw new InvalidArgumentError(`It must be a number of days, from ${leastDays}d to 99999d.`);
}

/** A row for people. Of a call it has the account, the rule, and the outcome or the arguments: `--json` has the rest. */
function tellRow({ seq, at, type, actor, tool, body }: Row): Readonly<Record<string, unknown>> {
  const { connection, rule, error, status, input } = body;
  const problem = (error as { readonly message?: string } | undefined)?.message;
  const details = problem ?? status ?? input ?? body;
  return { seq, at, type, actor: actor.name, tool, account: connection, rule, details };
}

function withFilter(command: Command): Command {
  return command
    .option('--types <types>', 'only events of these types, separated by commas')
    .option('--tool <toolkit.name>', 'only this tool')
    .option('--actor <who>', 'only what this agent, person or key did: a name or an id')
    .option('--execution <id>', 'only this call')
    .option('--text <text>', 'only rows that contain this')
    .option('--since <time>', 'only from this time on: 2026-01-31T00:00:00Z')
    .option('--until <time>', 'only up to this time');
}

function getFilter({ types, tool, actor, execution, text, since, until }: FilterOptions): Filter {
  return defined({ types, tool, actorId: actor, executionId: execution, text, since, until }) as Filter;
}

/** Throws if the export is incomplete. */
async function printExport(client: HelveClient, filter: Filter): Promise<void> {
  let last = '';
  for await (const line of client.exportRecord(filter)) {
    last = line;
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  }
  const end = last === '' ? {} : (JSON.parse(last) as { error?: { detail?: string } });
  if (end.error === undefined) return;
  throw new HelveError('upstream_failed', `The export is incomplete: ${end.error.detail ?? 'it was cut off'}`);
}

/** Shows how far the check is on a terminal. */
async function followCheck({ client, output }: CommandContext, checkpoint?: string): Promise<ChainReport> {
  const progress = process.stderr.isTTY ? createProgress(output) : undefined;
  try {
    for await (const event of client.checkRecord(checkpoint)) {
      if (event.type === 'progress') progress?.at(event.checked, event.total, 'rows');
      else {
        const { type: _, checked, ...report } = event;
        return { ...report, rows: checked };
      }
    }
  } finally {
    progress?.end();
  }
  throw new HelveError('upstream_failed', 'The check was cut off');
}

/** Throws `conflict` if the record is broken. */
function proved(report: ChainReport, workspace?: string, archives = 0): string {
  const { ok, rows, firstBroken, head, archived } = report;
  const of = workspace === undefined ? '' : ` of ${workspace}`;
  const name = firstBroken?.event === undefined ? '' : ` (${nameRow(firstBroken.event)})`;
  if (ok)
    return `${rows} rows${of}, unbroken${describeArchives(archived?.seq, archives)}. Head: ${head.seq}:${head.hash}`;
  throw new HelveError(
    'conflict',
    `The record${of} is broken at row ${firstBroken?.seq}${name}: ${firstBroken?.problem}`,
    {
      hint: `The ${rows} rows before it are intact.`,
      details: { ...firstBroken },
    },
  );
}

function describeArchives(last: number | undefined, read: number): string {
  if (last === undefined) return '';
  const how = read > 0 ? `were read in their archives` : 'are in signed archives, which were not read';
  return ` (rows 1 to ${last} ${how})`;
}

function nameRow({ type, at, actor, tool }: RowName): string {
  return [type, ...(tool === undefined ? [] : [tool]), `by ${actor.name}`, at].join(' ');
}
