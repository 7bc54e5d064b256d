/** `helve grants <agent>` shows what an agent may use; `helve grant` and `helve ungrant` change it. */
import type { Command } from 'commander';
import type { HelveClient } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { GrantPreview } from '../../../domain/explain.js';
import type { DoubtfulLimit } from '../../../domain/grant.js';
import { accountLine } from '../../../util/acting-account.js';
import { defined } from '../../../util/defined.js';
import { didYouMean } from '../../../util/nearest.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

interface ShowOptions {
  readonly toolkit?: string;
  readonly granted?: boolean;
}

export function addGrants(program: Command, settings: CliSettings): void {
  withSharedOptions(
    program
      .command('grants [agent]')
      .description('show what an agent may use; without an agent, how much each one may use')
      .option('--toolkit <slug>', 'only tools of this toolkit')
      .option('--granted', 'only what is granted'),
    settings,
  ).action(
    action<[string | undefined, ShowOptions]>(async ({ client, output }, agent, options) => {
      if (agent !== undefined) {
        const { rows, doubtfulLimits } = await toolRows(client, agent, options);
        output.table(rows, ['agent', 'toolkit', 'tool', 'risk', 'granted'], 'No such tools.');
        if (!output.json) for (const doubt of doubtfulLimits) output.line(printable(`\n${describeDoubt(doubt)}`));
        return;
      }
      const { agents } = await client.call('GET /api/agents');
      const rows = (await Promise.all(agents.map(({ slug }) => toolkitRows(client, slug, options)))).flat();
      output.table(
        rows,
        ['agent', 'toolkit', 'granted', 'tools'],
        agents.length === 0 ? 'No agents.' : 'No such tools.',
      );
      if (!output.json && rows.length > 0) output.line('\nThe tools of one agent: helve grants <agent>');
    }),
  );
  addChange(program, settings, 'grant', 'let an agent use tools');
  addChange(program, settings, 'ungrant', 'revoke tools from an agent');
}

/** The tools that can be granted, a row each. */
async function toolRows(client: HelveClient, agent: string, { toolkit: only, granted: isShort = false }: ShowOptions) {
  const { entries, doubtfulLimits } = await client.call('GET /api/agents/:agent/grants', { params: { agent } });
  const rows = entries
    .filter(({ toolkit }) => only === undefined || toolkit.slug === only)
    .flatMap(({ toolkit, tools }) =>
      tools
        .filter(({ granted }) => granted || !isShort)
        .map(({ modelName, risk, granted }) => ({
          agent,
          toolkit: toolkit.slug,
          tool: modelName,
          risk,
          granted: granted ? 'yes' : 'no',
        })),
    );
  return { rows, doubtfulLimits };
}

function describeDoubt({ toolkit, tool, argument, nearest }: DoubtfulLimit): string {
  const doubt = `A limit on ${toolkit}.${tool} may have no effect: the tool does not list the argument ${argument}.`;
  return `${doubt} ${didYouMean(nearest)}`.trim();
}

/** How many tools of each toolkit are granted, and how many there are. */
async function toolkitRows(client: HelveClient, agent: string, { toolkit, granted: isShort = false }: ShowOptions) {
  const counts = new Map<string, { granted: number; tools: number }>();
  const { rows } = await toolRows(client, agent, defined({ toolkit }));
  for (const row of rows) {
    const { granted, tools } = counts.get(row.toolkit) ?? { granted: 0, tools: 0 };
    counts.set(row.toolkit, { granted: granted + (row.granted === 'yes' ? 1 : 0), tools: tools + 1 });
  }
  return [...counts]
    .filter(([, { granted }]) => granted > 0 || !isShort)
    .map(([slug, { granted, tools }]) => ({ agent, toolkit: slug, granted, tools }));
}

interface ChoiceOptions {
  readonly toolkit?: string;
  readonly account?: string;
  readonly group?: string;
  readonly capability?: string;
  readonly risk?: string;
}

interface ChangeOptions extends ChoiceOptions {
  readonly preview?: boolean;
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
    .option('--preview', 'only show what it would change')
    .addHelpText(
      'after',
      `
Tools are given by name, by toolkit or account, or by a pattern in quotes; what is named is looked up once, now:
  helve ${name} reader calculate
  helve ${name} reader files --risk read
  helve ${name} reader 'work-gmail__list_*'`,
    )
    .action(
      action<[string, string[], ChangeOptions]>(async ({ client, output }, agent, tools, { preview, ...options }) => {
        const choice = readChoice(tools, options);
        const body = name === 'grant' ? { add: [choice] } : { remove: [choice] };
        if (preview) {
          const seen = await client.call('POST /api/agents/:agent/grants/preview', { params: { agent }, body });
          return output.value(seen, printable(describePreview(seen)));
        }
        const stored = await client.call('PATCH /api/agents/:agent/grants', { params: { agent }, body });
        const accounts = stored.grants.flatMap(({ account }) =>
          account ? [`\n  acts with ${printable(accountLine(account))}`] : [],
        );
        const held = stored.grants
          .flatMap(({ account, tools }) => tools.map((tool) => (account ? `${account.slug}__${tool}` : tool)))
          .sort();
        output.value(stored, `${agent} may now use ${namesOf(held, agent)}.${accounts.join('')}`);
      }),
    );
}

const maxNames = 20;

function namesOf(tools: readonly string[], agent: string): string {
  if (tools.length <= maxNames) return tools.join(', ') || 'nothing';
  const more = tools.length - maxNames;
  return `${tools.slice(0, maxNames).join(', ')} and ${more} more (all: helve grants ${agent} --granted)`;
}

function describePreview(seen: GrantPreview): string {
  const { added, removed, destructive, before, after, privateAccounts } = seen;
  const list = (mark: string, tools: GrantPreview['added']) => tools.map(({ name }) => `${mark} ${name}`);
  const isDecided = (rule: string, approval: string) => (approval === 'denied' ? `refused by ${rule}` : rule);
  const lists = (of: GrantPreview['before']) =>
    of.mode.shows === 'tools' ? 'the tools themselves' : `${of.mode.shows} tools`;
  const nothing = added.length + removed.length === 0 ? ['It would change nothing.'] : [];
  return [
    ...nothing,
    ...list('+', added),
    ...list('-', removed),
    ...destructive.map(({ name, rule, approval }) => `! ${name} destroys something (${isDecided(rule, approval)})`),
    ...privateAccounts.map(
      ({ connection, owner, own }) =>
        `! ${connection} is ${own ? 'your' : `${owner ?? 'another person'}'s`} private account: the agent uses it only when it acts for its owner`,
    ),
    `Tools that it can call: ${before.tools} → ${after.tools}, with ${before.tokens} → ${after.tokens} tokens of definitions`,
    `Its list has ${lists(before)} (${before.mode.tokens} tokens) → ${lists(after)} (${after.mode.tokens} tokens)`,
  ].join('\n');
}
