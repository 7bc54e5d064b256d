/** `helve doctor`: reports what this machine, the data folder and the server can and cannot do, and what to do about it. */
import type { Command } from 'commander';
import { createClient } from '../../../api/client.js';
import type { DoctorCheck } from '../../../domain/doctor.js';
import { toHelveError } from '../../../domain/errors.js';
import { checkDataFolder, checkNode, checkSystem } from '../../../util/installation-checks.js';
import { type CliSettings, explain } from '../context.js';
import { findLocalAccess, type LocalAccess } from '../local-access.js';
import { createOutput } from '../print.js';

export function addDoctor(program: Command, settings: CliSettings): void {
  program
    .command('doctor')
    .description('check this installation')
    .option('--json', 'print JSON for programs')
    .option('--data <folder>', 'data folder', settings.dataDir)
    .action(async ({ json, data }: { json?: boolean; data: string }) => {
      const checks = await askServer(data);
      const rows = checks.map(({ check, state, detail, hint }) =>
        json
          ? { check, state, ok: state === 'ok', detail, ...(hint === undefined ? {} : { hint }) }
          : { state, check, detail: hint === undefined ? detail : `${detail}. ${hint}` },
      );
      createOutput(json ?? false).table(rows, ['state', 'check', 'detail'], '', 'whole');
      if (checks.some(({ state }) => state === 'failed')) process.exitCode = 1;
    });
}

/** The list of the server; without one, what can be seen from here. */
async function askServer(folder: string): Promise<readonly DoctorCheck[]> {
  const alone = (detail: string, hint: string): readonly DoctorCheck[] => [
    checkNode(),
    checkSystem(),
    checkDataFolder(folder),
    { check: 'server', state: 'failed', detail, hint },
  ];
  let local: LocalAccess | undefined;
  try {
    local = findLocalAccess(folder);
  } catch (error) {
    const { message, hint } = toHelveError(error);
    return alone(message, hint ?? 'Look at the data folder');
  }
  if (!local) return alone('has not been started yet', 'Start it: helve serve, or npm start in the repository');
  const client = createClient({ url: local.url, token: local.key });
  try {
    return (await client.call('GET /api/doctor')).checks;
  } catch (error) {
    // It may run, and say itself what is wrong.
    const { message, hint } = explain(error);
    return alone(`${local.url}: ${message.replace(/\.$/, '')}`, hint ?? 'Look at the log of the server');
  }
}
