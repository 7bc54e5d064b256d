/** `helve grants <agent>` shows what an agent may use; `helve grant` and `helve ungrant` change it. */
import type { Command } from 'commander';
import type { HelveClient } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import { accountLine } from '../../../util/acting-account.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

export function addGrants(program: Command, settings: CliSettings): void {
  withSharedOptions(program.command('grants [agent]').description('show what an agent may use'), settings).action(
    action<[string | undefined]>(async ({ client, output }, agent) => {
      const names =
        agent === undefined ? (await client.call('GET /api/agents')).agents.map(({ slug }) => slug) : [agent];
      const rows = (await Promise.all(names.map((name) => grantRows(client, name)))).flat();
      output.table(rows, ['agent', 'toolkit', 'tool', 'risk', 'granted'], 'No agents.');
    }),
  );
  addChange(program, settings, 'grant', 'let an agent use tools');
  addChange(program, settings, 'ungrant', 'revoke tools from an agent');
}

async function grantRows(client: HelveClient, agent: string) {
  const { entries } = await client.call('GET /api/agents/:agent/grants', { params: { agent } });
  return entries.flatMap(({ toolkit, tools }) =>
    tools.map(({ modelName, risk, granted }) => ({
      agent,
      toolkit: toolkit.slug,
      tool: modelName,
      risk,
      granted: granted ? 'yes' : 'no',
    })),
  );
}

interface ChoiceOptions {
  readonly toolkit?: string;
  readonly account?: string;
  readonly group?: string;
  readonly capability?: string;
  readonly risk?: string;
}

const risks = ['read', 'write', 'destructive'] as const;

function readChoice(tools: readonly string[], { risk, ...options }: ChoiceOptions) {
  const tier = risks.find((one) => one === risk);
  if (risk !== undefined && tier === undefined)
    throw new HelveError('invalid_input', `--risk: ${JSON.stringify(risk)} is not a risk tier`, {
      hint: `Use ${risks.join(', ')}.`,
    });
  const { toolkit, account, group, capability } = options;
  return {
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...defined({ toolkit, account, group, capability, risk: tier }),
  };
}

function addChange(program: Command, settings: CliSettings, name: 'grant' | 'ungrant', description: string): void {
  withSharedOptions(program.command(`${name} <agent> [tools...]`).description(description), settings)
    .option('--toolkit <slug>', 'only tools of this toolkit')
    .option('--account <slug>', 'only tools of this account')
    .option('--group <name>', 'only tools of this group of a toolkit')
    .option('--capability <text>', 'only tools that can do this, such as "send message"')
    .option('--risk <tier>', `only tools of this tier: ${risks.join(', ')}`)
    .addHelpText(
      'after',
      `
Tools are given by name, by toolkit or account, or by a pattern in quotes; what is named is looked up once, now:
  helve ${name} reader calculate
  helve ${name} reader files --risk read
  helve ${name} reader 'work-gmail__list_*'`,
    )
    .action(
      action<[string, string[], ChoiceOptions]>(async ({ client, output }, agent, tools, options) => {
        const choice = readChoice(tools, options);
        const body = name === 'grant' ? { add: [choice] } : { remove: [choice] };
        const stored = await client.call('PATCH /api/agents/:agent/grants', { params: { agent }, body });
        const accounts = stored.grants.flatMap(({ account }) =>
          account ? [`\n  acts with ${printable(accountLine(account))}`] : [],
        );
        const held = stored.grants.flatMap((grant) => grant.tools).sort();
        output.value(stored, `${agent} may now use ${held.join(', ') || 'nothing'}.${accounts.join('')}`);
      }),
    );
}
