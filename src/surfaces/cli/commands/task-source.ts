/** `helve task source`: where issues come from. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Api } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

type Source = Api['GET /api/task-sources/:id']['reply'];
type NewSource = Api['POST /api/task-sources']['body'];
type Rule = NonNullable<NewSource['rules']>[number];

const ruleExample = '[{ "if": { "priority": "high" }, "title": "{{subject}}", "assign": "coder" }]';

interface AddOptions {
  readonly connection?: string;
  readonly rules?: string;
  readonly secretFile?: string;
  readonly checks?: string;
  readonly pullRequest?: boolean;
}

export function addTaskSource(task: Command, settings: CliSettings): void {
  const source = task.command('source').description('where issues come from, and where their outcomes are written');
  withSharedOptions(source.command('list', { isDefault: true }), settings)
    .description('list the sources, with what keeps them from working')
    .action(
      action<[]>(async ({ client, output }) => {
        const { sources } = await client.call('GET /api/task-sources');
        const rows = output.json ? sources : sources.map((one) => ({ ...one, problem: one.problem ?? 'none' }));
        output.table(rows, ['id', 'provider', 'scope', 'connection', 'problem'], 'There are no task sources.');
      }),
    );
  withSharedOptions(source.command('add <provider> <scope>'), settings)
    .description('take issues from github acme/shop, linear ENG, or trigger <subscription>; agents then work for you')
    .option('--connection <account>', 'the account with which outcomes are written back; not for a trigger')
    .option('--rules <path>', 'for a trigger: a JSON file with the rules by which events open issues')
    .option('--secret-file <path>', 'the secret that signs deliveries, or - for standard input; default: a new one')
    .option('--pull-request', 'work is good when the checks of its pull request are green')
    .option('--checks <path>', 'a JSON file with the checks of its issues')
    .action(
      action<[NewSource['provider'], string, AddOptions]>(async ({ client, output }, ...[provider, scope, options]) => {
        const { connection, secretFile } = options;
        const secret = secretFile === undefined ? undefined : readFileSync(at(secretFile), 'utf8').trim();
        const rules = options.rules === undefined ? undefined : readList<Rule>(options.rules, 'rules', ruleExample);
        const body = { provider, scope, checks: readChecks(options), ...defined({ connection, secret, rules }) };
        const made = await client.call('POST /api/task-sources', { body });
        output.value(
          made,
          printable(
            [
              ...tell(made.source, secret === undefined ? made.secret : undefined),
              ...(made.notice === undefined ? [] : [made.notice]),
            ].join('\n'),
          ),
        );
      }),
    );
  withSharedOptions(source.command('remove <id>'), settings)
    .description('refuse the deliveries of a source from now on; its issues stay')
    .action(
      action<[string]>(async ({ client, output }, id) => {
        await client.call('DELETE /api/task-sources/:id', { params: { id } });
        output.value({ removed: id }, `${printable(id)} is removed. Remove its webhook or its subscription, too.`);
      }),
    );
}

const at = (path: string): string | number => (path === '-' ? 0 : path);

function readChecks({ checks: path, pullRequest }: AddOptions): NonNullable<NewSource['checks']> {
  const given: NonNullable<NewSource['checks']> = pullRequest ? [{ kind: 'pull_request' }] : [];
  if (path === undefined) return given;
  return [...given, ...readList<(typeof given)[number]>(path, 'checks', '[{ "kind": "pull_request" }]')];
}

/** The server checks the content of the list. */
function readList<Item>(path: string, what: string, hint: string): Item[] {
  try {
    const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(list)) return list;
  } catch (cause) {
    throw new HelveError('invalid_input', `${path} is not a JSON file with a list of ${what}`, { hint, cause });
  }
  throw new HelveError('invalid_input', `${path} is not a list of ${what}`, { hint });
}

function tell({ id, provider, scope, webhookUrl, problem }: Source, secret: string | undefined): readonly string[] {
  return [
    `${id}  ${provider} ${scope}`,
    provider === 'trigger'
      ? 'Events that its subscription receives from now on open issues by its rules.'
      : `Create a webhook there that sends application/json to ${webhookUrl ?? `/api/webhooks/${provider} of this server`}`,
    ...(secret === undefined ? [] : [`Its secret, shown only now: ${secret}`]),
    ...(problem === undefined ? [] : [problem]),
  ];
}
