/** `helve doctor`: reports what this machine, the data folder and the server can and cannot do. */
import { accessSync, constants, existsSync } from 'node:fs';
import type { Command } from 'commander';
import { createClient } from '../../../api/client.js';
import type { CliSettings } from '../context.js';
import { findLocalAccess } from '../local-access.js';
import { createOutput } from '../print.js';

interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Helve works without it; only the tools that need it are off. */
  readonly optional?: true;
}

const oldestNode = [20, 19] as const;

export function addDoctor(program: Command, settings: CliSettings): void {
  program
    .command('doctor')
    .description('check this installation')
    .option('--json', 'print JSON for programs')
    .option('--data <folder>', 'data folder', settings.dataDir)
    .action(async ({ json, data }: { json?: boolean; data: string }) => {
      const checks = [checkNode(), checkFolder(data), ...(await checkServer(data))];
      const word = ({ ok, optional }: Check): string => (ok ? 'ok' : optional ? 'off' : 'NO');
      const rows = checks.map((row) => ({ ok: json ? row.ok : word(row), check: row.check, detail: row.detail }));
      createOutput(json ?? false).table(rows, ['ok', 'check', 'detail'], '', 'whole');
      if (checks.some(({ ok, optional }) => !ok && !optional)) process.exitCode = 1;
    });
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return {
    check: 'Node.js',
    ok,
    detail: ok ? process.versions.node : `${process.versions.node}; Helve needs ${oldestNode.join('.')} or newer`,
  };
}

function checkFolder(folder: string): Check {
  if (!existsSync(folder))
    return { check: 'data folder', ok: true, detail: `${folder} will be created at the first start` };
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    return { check: 'data folder', ok: true, detail: folder };
  } catch {
    return { check: 'data folder', ok: false, detail: `${folder} cannot be read and written by this user` };
  }
}

async function checkServer(folder: string): Promise<Check[]> {
  const local = findLocalAccess(folder);
  if (!local) return [{ check: 'server', ok: false, detail: 'has not been started yet: npm start' }];
  const client = createClient({ url: local.url, token: local.key });
  try {
    const { status } = await client.call('GET /health');
    const report = await client.call('GET /api/audit/verify');
    const { checks } = await client.call('GET /api/machine');
    const { withoutEffect } = await client.call('GET /api/policies');
    const broken = report.firstBroken;
    return [
      { check: 'server', ok: status === 'ok', detail: `${local.url}: ${status}` },
      {
        check: 'record',
        ok: report.ok,
        detail: broken ? `broken at row ${broken.seq}: ${broken.problem}` : `${report.rows} rows, unbroken`,
      },
      ...withoutEffect.map(({ policy, path, message, nearest }) => ({
        check: `policy ${policy}`,
        ok: false,
        optional: true as const,
        detail: `${path} has no effect: ${message}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
      })),
      ...checks.map((row) => ({ ...row, optional: true as const })),
    ];
  } catch (error) {
    return [{ check: 'server', ok: false, detail: `${local.url}: ${(error as Error).message}` }];
  }
}
