/** `helve auth doctor`, `helve vault rotate` and `helve definitions`: maintenance for operators. */
import type { Command } from 'commander';
import { HelveError } from '../../../domain/errors.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { counted, printable } from '../print.js';

export function addAuth(program: Command, settings: CliSettings): void {
  const auth = program.command('auth').description('signing in to services');
  withSharedOptions(
    auth.command('doctor [provider]').description('show which OAuth clients to create where, and their problems'),
    settings,
  ).action(
    action<[string | undefined]>(async ({ client, output }, wanted) => {
      const { checks } = await client.call('GET /api/auth-checks');
      const shown = wanted === undefined ? checks : checks.filter(({ provider }) => provider === wanted);
      if (shown.length === 0)
        throw new HelveError('not_found', `No toolkit signs in with ${wanted ?? 'OAuth'}`, {
          hint: `There are ${checks.map(({ provider }) => provider).join(', ')}.`,
        });
      output.value(shown, shown.map(described).join('\n\n'));
      if (wanted !== undefined && shown.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
    }),
  );
  const vault = program.command('vault').description('stored secrets');
  withSharedOptions(
    vault.command('rotate').description('seal every secret under a new key and retire the old ones'),
    settings,
  ).action(
    action(async ({ client, output }) => {
      const done = await client.call('POST /api/vault/rotate');
      const left = done.unreadable === 0 ? '' : ` ${done.unreadable} could not be read and stay unchanged.`;
      output.value(done, `Sealed ${counted(done.resealed, 'secret')} under the key ${done.keyId}.${left}`);
    }),
  );
  addDefinitions(program, settings);
}

function addDefinitions(program: Command, settings: CliSettings): void {
  const definitions = program.command('definitions').description('list tools whose definitions have changed');
  withSharedOptions(definitions.command('list', { isDefault: true }), settings).action(
    action(async ({ client, output }) => {
      const { definitions: rows } = await client.call('GET /api/definitions');
      const text = rows.map(
        ({ toolkit, tool, hash, change, changes, flags }) =>
          `${toolkit}.${tool}: ${change}\n${[...changes, ...flags].map((line) => `  ${printable(line)}`).join('\n')}\n  to accept: helve definitions accept ${printable(toolkit)} ${printable(tool)} ${hash}`,
      );
      output.value(rows, text.join('\n\n') || 'No changed definitions.');
    }),
  );
  withSharedOptions(
    definitions
      .command('accept <toolkit> <tool> <hash>')
      .description('accept a changed definition by its hash from the list'),
    settings,
  ).action(
    action<[string, string, string]>(async ({ client, output }, toolkit, tool, hash) => {
      const params = { toolkit, tool };
      await client.call('POST /api/definitions/:toolkit/:tool/accept', { params, body: { hash } });
      output.value({ accepted: `${toolkit}.${tool}` }, `${toolkit}.${tool} may be called with this definition.`);
    }),
  );
}

interface Check {
  readonly provider: string;
  readonly toolkits: readonly string[];
  readonly client: string;
  readonly redirectUri?: string | undefined;
  readonly scopes: readonly string[];
  readonly consoleUrl?: string | undefined;
  readonly docsUrl?: string | undefined;
  readonly problems: readonly string[];
}

function described(check: Check): string {
  const client = { file: 'in helve.yaml', workspace: 'of this workspace', none: 'none yet' }[check.client];
  return [
    `${check.provider}  (for ${check.toolkits.join(', ')})`,
    `  client:       ${client ?? check.client}`,
    ...(check.consoleUrl === undefined ? [] : [`  create at:    ${check.consoleUrl}`]),
    `  redirect URI: ${check.redirectUri ?? 'not known'}`,
    `  scopes:       ${check.scopes.join(' ') || 'none'}`,
    ...(check.docsUrl === undefined ? [] : [`  see:          ${check.docsUrl}`]),
    ...check.problems.map((problem) => `  PROBLEM:      ${printable(problem)}`),
  ].join('\n');
}
