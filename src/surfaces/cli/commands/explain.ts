/** `helve explain`: why a call of an agent would be refused or asked about; nothing runs. */
import type { Command } from 'commander';
import { type ErrorCode, HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';
import { readJson } from '../read-json.js';

const example = `helve explain reader calculate '{"expression":"1 + 1"}'`;

interface ExplainOptions {
  readonly connection?: string;
  readonly for?: string;
  readonly issue?: string;
  readonly intent?: string;
}

const marks = { allow: '✓', require_approval: '?', deny: '✗', unknown: '–' } as const;
const verdicts = {
  allow: 'It would run.',
  require_approval: 'A person would have to approve it.',
  deny: 'It would be refused.',
  unknown: 'It depends on the arguments.',
} as const;

/** Of a name that is not that of one tool: no layer has anything to say about it. */
const unnamedCodes: Readonly<Record<string, ErrorCode>> = {
  'tool.unknown': 'tool_not_found',
  'tool.ambiguous': 'ambiguous',
};

export function addExplain(program: Command, settings: CliSettings): void {
  withSharedOptions(program.command('explain <agent> <tool> [input]'), settings)
    .description('what each layer would decide about a call of an agent; nothing runs')
    .option('--connection <slug>', 'the account, if the name of the tool does not name it')
    .option('--for <person>', 'the person for whom the agent acts: name, e-mail address or id')
    .option(
      '--issue <id>',
      'the issue that the agent works on: its limits and the present step of its recipe then apply',
    )
    .option('--intent <text>', 'what the person asked for')
    .action(
      action<[string, string, string | undefined, ExplainOptions]>(async ({ client, output }, ...given) => {
        const [agent, tool, input, { connection, for: onBehalfOf, issue, intent }] = given;
        const body = {
          agent,
          tool,
          ...defined({
            input: input === undefined ? undefined : (readJson(input, 'The arguments', example) as JsonObject),
            connection,
            onBehalfOf,
            issue,
            intent,
          }),
        };
        const told = await client.call('POST /api/explain', { body });
        const unnamed = unnamedCodes[told.rule];
        if (unnamed !== undefined)
          throw new HelveError(unnamed, told.steps[0]?.reason ?? told.rule, {
            hint: `helve tools --agent ${agent} lists the tools that it sees.`,
          });
        const lines = told.steps.map(
          ({ layer, verdict, reason, rule }) =>
            `${marks[verdict]} ${layer.padEnd(10)}  ${reason}${rule === undefined ? '' : ` (${rule})`}`,
        );
        output.value(told, printable([...lines, verdicts[told.verdict]].join('\n')));
      }),
    );
}
