/** `helve config` prints every setting of the server, with its effective value and where that is from. */
import type { Command } from 'commander';
import type { Api } from '../../../api/index.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';

type Setting = Api['GET /api/settings']['reply']['settings'][number];

export function addConfig(program: Command, settings: CliSettings): void {
  const config = program.command('config').description('the settings of the server');
  withSharedOptions(
    config.command('show', { isDefault: true }).description('every setting, its value, and where it comes from'),
    settings,
  )
    .option('--set', 'only settings that differ from their defaults')
    .action(
      action<[{ set?: true }]>(async ({ client, output }, { set }) => {
        const { settings: all } = await client.call('GET /api/settings');
        const wanted = set ? all.filter(({ source }) => source.kind !== 'default') : all;
        const rows = output.json
          ? wanted
          : wanted.map((one) => ({ setting: one.key, value: showValue(one), from: showSource(one.source) }));
        output.table(rows, ['setting', 'value', 'from'], 'Every setting has its default.', 'whole');
      }),
    );
}

function showValue({ isSet, secret, value }: Setting): string {
  if (!isSet) return '-';
  return secret ? '(set, not shown)' : typeof value === 'string' ? value : JSON.stringify(value);
}

function showSource(source: Setting['source']): string {
  switch (source.kind) {
    case 'default':
      return 'default';
    case 'environment':
      return source.variable;
    case 'option':
      return source.option;
    case 'file': {
      const { file, line, variables = [] } = source;
      return [`${file}:${line}`, ...variables.map((name) => `\${${name}}`)].join(' ');
    }
  }
}
