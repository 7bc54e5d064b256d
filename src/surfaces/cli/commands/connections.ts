/** `helve connect`, `connections` and `disconnect` manage accounts. `helve grant` decides which agent may use them. */
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { HelveClient } from '../../../api/index.js';
import type { Connection } from '../../../domain/connection.js';
import { HelveError } from '../../../domain/errors.js';
import { accountLabel } from '../../../util/acting-account.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, type CommandContext, withSharedOptions } from '../context.js';
import { getExitCode } from '../exit-codes.js';
import { counted } from '../print.js';
import { readFields } from '../read-fields.js';

interface ConnectOptions {
  readonly name?: string;
  readonly private?: true;
  readonly scheme?: string;
  readonly connection?: string;
  readonly set?: readonly string[];
  readonly secretFile?: readonly string[];
  readonly tools?: readonly string[];
  readonly check: boolean;
  readonly wait: boolean;
}

const pollMs = 1_000;

export function addConnections(program: Command, settings: CliSettings): void {
  addConnect(program, settings);
  const connections = program.command('connections').description('connected accounts');
  withSharedOptions(
    connections.command('list', { isDefault: true }).description('list connected accounts'),
    settings,
  ).action(
    action(async ({ client, output }) => {
      const { connections: all } = await client.call('GET /api/tools/connected');
      const rows = all.map(({ account, ...row }) => ({ ...row, account: account && accountLabel(account) }));
      const columns = ['slug', 'name', 'toolkit', 'account', 'status', 'visibility', 'reason'];
      output.table(output.json ? all : rows, columns, 'No connections. Create one: helve connect github');
    }),
  );
  withSharedOptions(
    connections.command('check <connection>').description('ask the service whether an account still works'),
    settings,
  ).action(
    action<[string]>(async ({ client, output }, slug) => {
      const params = { connection: slug };
      const check = await client.call('POST /api/connections/:connection/check', { params });
      const { outcome, reason, hint } = check;
      const said = {
        works: `${slug} works.`,
        refused: `${slug} does not work: ${reason}. ${hint}`,
        unreachable: `${slug} could not be checked: ${reason}. ${hint}`,
        unknown: `${slug} could not be checked: ${reason}. ${hint ?? ''}`,
      };
      output.value(check, said[outcome].trim());
      if (outcome === 'refused') process.exitCode = getExitCode('connection_inaccessible');
      if (outcome === 'unreachable') process.exitCode = getExitCode('upstream_failed');
    }),
  );
  withSharedOptions(
    program.command('withdraw <connection> <agent>').description('take an account away from an agent'),
    settings,
  ).action(
    action<[string, string]>(async ({ client, output }, connection, agent) => {
      const params = { connection, agent };
      const done = await client.call('DELETE /api/connections/:connection/agents/:agent', { params });
      output.value(done, `${agent} no longer has: ${done.removed.join(', ')}`);
    }),
  );
  withSharedOptions(
    program.command('disconnect [connection]').description('end a connection, here and at the service'),
    settings,
  )
    .option('--remove', 'also remove it with its grants')
    .option('--all', 'end every connection of the workspace')
    .action(
      action<[string | undefined, { remove?: true; all?: true }]>(async ({ client, output }, slug, { remove, all }) => {
        if (all) {
          const { reports } = await client.call('POST /api/connections/disconnect-all');
          return output.value(reports, `Ended ${counted(reports.length, 'connection')}.`);
        }
        if (slug === undefined)
          throw new HelveError('invalid_input', 'Name a connection, or --all', {
            hint: 'helve connections lists them.',
          });
        const body = { connection: slug, ...(remove ? { remove } : {}) };
        const report = await client.call('POST /api/tools/disconnect', { body });
        const told = { revoked: 'and at the service', failed: 'but the service could not be notified' };
        if (!('revocation' in report)) return output.value(report, `${slug} is no longer in use.`);
        const where = report.revocation in told ? ` ${told[report.revocation as keyof typeof told]}` : '';
        output.value(report, `Ended ${slug} here${where}.`);
      }),
    );
}

function addConnect(program: Command, settings: CliSettings): void {
  const list = (value: string, before: readonly string[] = []): string[] => [...before, value];
  withSharedOptions(program.command('connect <toolkit>').description('connect an account to a toolkit'), settings)
    .option('--name <name>', 'display name; models see a slug made from it')
    .option('--private', 'visible only to you')
    .option('--scheme <scheme>', 'how to sign in, if there are several ways')
    .option('--connection <slug>', 'sign in again to an existing connection')
    .option('--set <field=value>', 'set a field that is not secret', list)
    .option('--secret-file <field=path>', 'read a secret from a file; - means standard input', list)
    .option('--tools <tools...>', 'request only the scopes that these tools need')
    .option('--no-check', 'do not check the account with the service')
    .option('--no-wait', 'print the sign-in link and do not wait')
    .action(action<[string, ConnectOptions]>(connectAccount));
}

async function connectAccount(context: CommandContext, toolkit: string, options: ConnectOptions): Promise<void> {
  const { client, output } = context;
  const scheme = await chooseScheme(client, toolkit, options.scheme);
  const { connection, name, tools, check } = options;
  const credentials = await readFields(scheme, options);
  const visibility = options.private ? ('private' as const) : undefined;
  const answer = await client.call('POST /api/tools/connect', {
    body: {
      ...(connection === undefined ? { toolkit, scheme: scheme.id } : { connection }),
      ...defined({ name, visibility, tools: tools && [...tools], check: check ? undefined : check, credentials }),
    },
  });
  if (answer.redirectUrl === undefined) return output.value(answer, connectedAs(answer.connection));
  if (!options.wait) return output.value(answer, answer.redirectUrl);
  process.stderr.write(`Open this address in a browser and sign in:\n\n  ${answer.redirectUrl}\n\n`);
  const done = await waitFor(client, answer.connection.id, answer.expiresAt);
  if (done.status !== 'active')
    throw new HelveError(
      'forbidden',
      `${done.name} is not connected: ${done.reason ?? 'the sign-in was not completed'}`,
    );
  output.value(done, connectedAs(done));
}

async function chooseScheme(client: HelveClient, toolkit: string, wanted: string | undefined) {
  const { schemes } = await client.call('GET /api/tools/:toolkit/schemes', { params: { toolkit } });
  const scheme = wanted === undefined ? schemes[0] : schemes.find(({ id }) => id === wanted);
  if (scheme) return scheme;
  throw new HelveError('invalid_input', `${toolkit} has no sign-in scheme ${wanted}`, {
    hint: `Use ${schemes.map(({ id }) => id).join(', ')}.`,
  });
}

function connectedAs({ slug, account }: Pick<Connection, 'slug' | 'account'>): string {
  return `Connected ${slug}${account ? ` as ${accountLabel(account)}` : ''}.`;
}

/** Waits until the sign-in in the browser ends or the link expires. A connection that was already active counts once it is newer. */
async function waitFor(client: HelveClient, id: string, expiresAt: string | undefined) {
  const params = { connection: id };
  const before = (await client.call('GET /api/connections/:connection', { params })).connectedAt;
  const end = expiresAt === undefined ? Date.now() : Date.parse(expiresAt);
  for (;;) {
    const now = await client.call('GET /api/connections/:connection', { params });
    const changed = now.status === 'error' || (now.status === 'active' && now.connectedAt !== before);
    if (changed || Date.now() > end) return now;
    await setTimeout(pollMs);
  }
}
