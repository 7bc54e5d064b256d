/** `helve backup` copies an installation to a file while it serves; `helve restore` puts the copy into an empty one. */
import { constants, getPriority, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Environment } from '../../../config/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { BackupReport, CopyFacts } from '../../../plane/maintenance/index.js';
import { defined } from '../../../util/defined.js';
import { claimDataFolder } from '../local-access.js';
import { type OfflineContext, offline } from '../offline.js';
import type { Output } from '../print.js';

interface BackupOptions {
  readonly data: string;
  readonly keys?: string;
}

interface RestoreOptions extends BackupOptions {
  readonly withoutKeys?: boolean;
  readonly brokenRecord?: boolean;
}

type RestoreChoices = Pick<RestoreOptions, 'withoutKeys' | 'brokenRecord'>;

const load = () => import('../../../plane/maintenance/index.js');

export function addBackup(program: Command, environment: Environment): void {
  program
    .command('backup [target]')
    .description('copy the store and its files to a file, also while a server uses them')
    .option('--data <folder>', 'data folder (HELVE_DATA)', environment.dataDir)
    .option('--keys <file>', "copy the vault's keys to a separate file, to be kept in another place")
    .option('--json', 'print JSON for programs')
    .action(
      offline<[string | undefined, BackupOptions]>((context, target, options) => {
        const places = { dataDir: resolve(options.data), vaultKeys: environment.vaultKeys };
        return makeBackup(context, { ...places, database: environment.databaseUrl, target, keys: options.keys });
      }),
    );
  program
    .command('restore <file>')
    .description('put a backup into an empty store and data folder')
    .option('--data <folder>', 'data folder (HELVE_DATA)', environment.dataDir)
    .option('--keys <file>', "the vault's keys, which become those of the data folder")
    .option('--without-keys', 'restore although keys are missing: every account must be connected again')
    .option('--broken-record', 'restore although the chain of the record is broken in the backup')
    .option('--json', 'print JSON for programs')
    .action(
      offline<[string, RestoreOptions]>((context, file, { data, ...given }) => {
        const places = { dataDir: resolve(data), vaultKeys: environment.vaultKeys };
        return restoreBackup(context, { ...places, database: environment.databaseUrl, file, keys: given.keys, given });
      }),
    );
}

interface Places {
  readonly dataDir: string;
  readonly vaultKeys: string | undefined;
  readonly database: string | undefined;
  readonly keys: string | undefined;
}

async function makeBackup(
  context: OfflineContext,
  job: Places & { readonly target: string | undefined },
): Promise<void> {
  const { backup, copyKeys, getLocation, noteBackup } = await load();
  const { dataDir, vaultKeys, target, keys } = job;
  if (keys !== undefined) {
    await copyKeys({ dataDir, vaultKeys }, resolve(keys));
    say(context.output, 'Whoever has these keys and a backup can read every stored credential: keep the two apart.');
    if (target === undefined)
      return context.output.value({ keys: resolve(keys) }, `The vault's keys are in ${resolve(keys)}`);
  }
  const location = getLocation({ dataDir, ...defined({ database: job.database }) });
  const { onCopied, signal } = context;
  yieldToServer();
  let problem: string | undefined;
  const beforeNamed = async (facts: CopyFacts): Promise<void> => {
    problem = await noteBackup({ location, facts });
  };
  const report = await backup({ location, dataDir, target: target ?? '.', beforeNamed, onCopied, signal });
  context.end();
  if (keys === undefined) say(context.output, lossOfKeys(vaultKeys));
  context.output.value({ ...toJson(report), noted: problem === undefined }, withNote(describe(report), problem));
  refuseIncomplete(report);
}

/** The server goes first: a backup may take longer. Only root may raise a priority, so one that is lower already stays. */
function yieldToServer(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
}

/** Throws `conflict` for a backup that is kept, but about which its maker must know something. */
function refuseIncomplete({ brokenRecord, unreadable, file }: BackupReport): void {
  if (brokenRecord !== undefined)
    throw new HelveError('conflict', `The backup is whole, but ${brokenRecord}`, {
      hint: 'It is broken in the store as well: see `helve audit verify`. The backup is kept.',
    });
  if (unreadable.length === 0) return;
  const others = unreadable.length > 1 ? ` and ${unreadable.length - 1} more` : '';
  throw new HelveError('conflict', `${file} lacks files that this user may not read: ${unreadable[0]}${others}`, {
    hint: 'The backup is kept, and everything else is in it. Give the user that runs Helve the right to read them.',
  });
}

/** What a person has to know who has made a backup without its keys. */
function lossOfKeys(vaultKeys: string | undefined): string {
  const where =
    vaultKeys === undefined
      ? 'Back them up to another place: helve backup --keys <file>'
      : 'Keep HELVE_VAULT_KEYS in another place';
  return `The backup does not contain the vault's keys. If they are lost, nobody can read the accounts' credentials in it, and every account must be connected again. ${where}`;
}

async function restoreBackup(
  context: OfflineContext,
  job: Places & { readonly file: string; readonly given: RestoreChoices },
): Promise<void> {
  const { restore, getLocation, createCopyEvents } = await load();
  const { dataDir, vaultKeys, file, keys, given } = job;
  const location = getLocation({ dataDir, ...defined({ database: job.database }) });
  const { onCopied, signal } = context;
  const { withoutKeys, brokenRecord } = given;
  const choices = { withoutKeys, brokenRecord };
  const release = await claimDataFolder(dataDir);
  try {
    const events = createCopyEvents('store.restored');
    const facts = await restore({ file, location, dataDir, vaultKeys, keys, ...choices, events, onCopied, signal });
    context.end();
    const told = `Restored ${count(facts)}, and read back. Start it: helve serve --data ${dataDir}`;
    context.output.value(toJson(facts), told);
  } finally {
    release();
  }
}

/** Adds why the record does not mention the work, which its readers should know. */
const withNote = (told: string, problem: string | undefined): string =>
  problem === undefined ? told : `${told}\nThe record does not mention this: ${problem}`;

function say(output: Output, text: string): void {
  if (!output.json) output.line(text);
}

const count = ({ rows, tables, files }: CopyFacts): string =>
  `${rows} rows of ${tables.size} tables and ${files} files`;
const describe = (report: BackupReport): string =>
  `${report.file}: ${count(report)}, read back${report.brokenRecord === undefined ? '; the chain of the record is unbroken' : ''}.`;

function toJson({ head, tables, ...facts }: CopyFacts) {
  const { schema, at, from, keys } = head;
  return { ...facts, schema, at, from, keys, tables: Object.fromEntries(tables) };
}
