/** `helve upgrade` brings the store up to date; with `--check` it only reports what an upgrade would do. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Environment } from '../../../config/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { UpgradeCheck } from '../../../plane/maintenance/index.js';
import { defined } from '../../../util/defined.js';
import { getExitCode } from '../exit-codes.js';
import { type OfflineContext, offline } from '../offline.js';

interface UpgradeOptions {
  readonly check?: boolean;
  readonly data: string;
}

export function addUpgrade(program: Command, environment: Environment): void {
  program
    .command('upgrade')
    .description('bring the store up to date, as the next start would')
    .option('--check', 'change nothing; show what it would do, and whether processes can be replaced one by one')
    .option('--data <folder>', 'data folder (HELVE_DATA)', environment.dataDir)
    .option('--json', 'print JSON for programs')
    .action(offline<[UpgradeOptions]>((context, options) => upgrade(context, options, environment.databaseUrl)));
}

async function upgrade({ output }: OfflineContext, options: UpgradeOptions, database?: string): Promise<void> {
  const { checkUpgrade, upgradeStore, getLocation } = await import('../../../plane/maintenance/index.js');
  const location = getLocation({ dataDir: resolve(options.data), ...defined({ database }) });
  const check = await checkUpgrade(location);
  if (options.check) {
    output.value(check, describe(check).join('\n'));
    if (check.plan === 'stop_first') process.exitCode = getExitCode('forbidden');
    return;
  }
  if (check.plan === 'none')
    throw new HelveError('not_found', `There is no store of Helve at ${check.place}`, {
      hint: 'The first start makes it. Name another with --data or HELVE_DATABASE_URL.',
    });
  await upgradeStore(location);
  output.value(
    { ...check, done: true },
    check.plan === 'current' ? describeState(check) : `${describeState(check)} It is up to date now.`,
  );
}

function describeState({ place, schema, programSchema, pending }: UpgradeCheck): string {
  const store = `The store at ${place} has schema ${schema}, this Helve ${programSchema}.`;
  if (schema > programSchema) return `${store} A newer Helve has migrated it, and this one can use it.`;
  if (pending.length === 0) return `${store} There is nothing to do.`;
  return `${store} Migrations: ${pending.map(({ version, name }) => `${version} ${name}`).join(', ')}.`;
}

const plans: Readonly<Record<UpgradeCheck['plan'], string>> = {
  none: 'The first start makes the store.',
  current: 'Start it whenever you want.',
  rolling:
    'Processes can be replaced one by one: those of the older Helve keep working during the upgrade and after it.',
  stop_first: 'Stop these processes first: they could not go on after the upgrade, and it refuses to begin.',
  stopped: 'No process serves the store, so it can be upgraded now. Start no process of the older Helve until then.',
};

function describe(check: UpgradeCheck): string[] {
  const { place, plan, serving, canGoBack } = check;
  if (plan === 'none') return [`There is no store of Helve at ${place}. ${plans.none}`];
  const lines = [describeState(check)];
  for (const { pid, host, schema, goesOn } of serving)
    lines.push(`  process ${pid} on ${host} knows schema ${schema}${goesOn ? '' : ': must be stopped first'}`);
  lines.push(plans[plan]);
  if (plan === 'current') return lines;
  lines.push(
    'Back up first: helve backup <file>, and the keys of the vault with helve backup --keys <file> or HELVE_VAULT_KEYS.',
    canGoBack
      ? 'To go back: start the older Helve again on the same store.'
      : 'To go back: the older Helve cannot be started on the store afterwards, so restore the backup into an empty one.',
  );
  return lines;
}
