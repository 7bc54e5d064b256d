/** `helve move` moves the store to another database, from SQLite to PostgreSQL or back. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Environment } from '../../../config/index.js';
import { defined } from '../../../util/defined.js';
import { claimDataFolder } from '../local-access.js';
import { type OfflineContext, offline } from '../offline.js';

interface MoveOptions {
  readonly to: string;
  readonly from?: string;
  readonly data: string;
  readonly brokenRecord?: boolean;
}

export function addMove(program: Command, environment: Environment): void {
  program
    .command('move')
    .description('move the store to another database while no server uses it')
    .requiredOption('--to <place>', 'postgres:// URL, or the path of an SQLite file')
    .option('--from <place>', 'where it is now (default: HELVE_DATABASE_URL, or helve.db in the data folder)')
    .option('--data <folder>', 'data folder (HELVE_DATA)', environment.dataDir)
    .option('--broken-record', 'move although the chain of the record is broken')
    .option('--json', 'print JSON for programs')
    .action(offline<[MoveOptions]>((context, options) => moveStore(context, options, environment.databaseUrl)));
}

async function moveStore(context: OfflineContext, options: MoveOptions, database: string | undefined): Promise<void> {
  const { move, getLocation, createCopyEvents } = await import('../../../plane/maintenance/index.js');
  const dataDir = resolve(options.data);
  const from = toPlace(options.from) ?? getLocation({ dataDir, ...defined({ database }) });
  const to = toPlace(options.to) ?? options.to;
  const { onCopied, signal, output } = context;
  const release = await claimDataFolder(dataDir);
  try {
    const events = createCopyEvents('store.moved');
    const facts = await move({ from, to, brokenRecord: options.brokenRecord, events, onCopied, signal });
    const { place, rows, tables } = facts;
    context.end();
    const next = to.includes('://')
      ? 'Set HELVE_DATABASE_URL to it before the next start.'
      : `Unset HELVE_DATABASE_URL before the next start${to === getLocation({ dataDir }) ? '' : `, and move the file to ${getLocation({ dataDir })}`}.`;
    output.value(
      { place, rows, tables: Object.fromEntries(tables) },
      `Moved ${rows} rows of ${tables.size} tables to ${place}, and read them back; the record is complete. ${next}`,
    );
  } finally {
    release();
  }
}

/** A path is made absolute, so that two names of one file are seen to be the same. */
function toPlace(place: string | undefined): string | undefined {
  return place === undefined || place.includes('://') ? place : resolve(place);
}
