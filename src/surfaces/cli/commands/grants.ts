/** `helve grants` shows what agents may use; `helve grant` and `helve ungrant` change it. */
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
  readonly all?: boolean;
}

export function addGrants(program: Command, settings: CliSettings): void {
  withSharedOptions(
    program
      .command('grants [agent]')
      .description('show what each agent may use and on whose account; with an agent, only what this one may use')
      .option('--toolkit <slug>', 'only tools of this toolkit')
      .option('--granted', 'a row for each granted tool')
      .option('--all', 'a row for each tool that can be granted'),
    settings,
  ).action(
    action<[string | undefined, ShowOptions]>(async ({ client, output }, agent, options) => {
      const agents =
        agent === undefined ? (await client.call('GET /api/agents')).agents.map(({ slug }) => slug) : [agent];
      const sets = await Promise.all(agents.map((slug) => readGrants(client, slug, options)));
      if (options.granted || options.all) {
        const rows = sets.flatMap((set) => toolRows(set, options.all === true));
        output.table(
          rows,
          ['agent', 'toolkit', 'tool', 'risk', 'granted'],
          agents.length === 0 ? 'No agents.' : 'No such tools.',
        );
      } else {
        const rows = sets.flatMap(summaryRows);
        const shown = output.json ? rows : rows.map(({ tools, ...row }) => ({ ...row, tools: tools.join(', ') }));
        output.table(shown, ['agent', 'toolkit', 'account', 'granted', 'of', 'tools'], whenNothing(agents));
        if (!output.json && rows.length > 0)
          output.line('\nEach tool: --granted. Also the tools that are not granted: --all.');
      }
      if (output.json) return;
      for (const doubt of sets.flatMap(({ doubtfulLimits }) => doubtfulLimits))
        output.line(printable(`\n${describeDoubt(doubt)}`));
    }),
  );
  addChange(program, settings, 'grant', 'let an agent use tools');
  addChange(program, settings, 'ungrant', 'revoke tools from an agent');
}

function whenNothing(agents: readonly string[]): string {
  const [only] = agents;
  if (only === undefined) return 'No agents.';
  const whose = agents.length === 1 ? only : '<agent>';
  return `Nothing is granted. What can be granted: helve grants ${whose} --all`;
}

async function readGrants(client: HelveClient, agent: string, { toolkit: only }: ShowOptions) {
  const { entries, grants, doubtfulLimits } = await client.call('GET /api/agents/:agent/grants', { params: { agent } });
  const accounts = new Map(
    grants.flatMap(({ account }) => (account ? [[account.connectionId, accountLine(account)]] : [])),
  );
  return {
    agent,
    entries: entries.filter(({ toolkit }) => only === undefined || toolkit.slug === only),
    accounts,
    doubtfulLimits,
  };
}

type AgentGrants = Awaited<ReturnType<typeof readGrants>>;

function toolRows({ agent, entries }: AgentGrants, isAll: boolean) {
  return entries.flatMap(({ toolkit, tools }) =>
    tools
      .filter(({ granted }) => granted || isAll)
      .map(({ modelName, risk, granted }) => ({
        agent,
        toolkit: toolkit.slug,
        tool: modelName,
        risk,
        granted: granted ? 'yes' : 'no',
      })),
  );
}

/** One row for each toolkit or account of which the agent may use something. */
function summaryRows({ agent, entries, accounts }: AgentGrants) {
  return entries.flatMap(({ toolkit, connectionId = '', tools }) => {
    const granted = tools.filter((tool) => tool.granted).map(({ modelName }) => modelName);
    if (granted.length === 0) return [];
    const account = defined({ account: accounts.get(connectionId) });
    return [{ agent, toolkit: toolkit.slug, ...account, granted: granted.length, of: tools.length, tools: granted }];
  });
}

function describeDoubt({ toolkit, tool, argument, nearest }: DoubtfulLimit): string {
  const doubt = `A limit on ${toolkit}.${tool} may have no effect: the tool does not list the argument ${argument}.`;
  return `${doubt} ${didYouMean(nearest)}`.trim();
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
        output.value(stored, `${agent} may now use ${namesOf(held, stored, agent)}.${accounts.join('')}`);
      }),
    );
}

const maxNames = 20;

/** Of many tools, only the changed ones are named. */
function namesOf(held: readonly string[], { added, removed }: { added: string[]; removed: string[] }, agent: string) {
  if (held.length <= maxNames) return held.join(', ') || 'nothing';
  const changes = [
    ...(added.length > 0 ? [`newly ${shorten(added)}`] : []),
    ...(removed.length > 0 ? [`no longer ${shorten(removed)}`] : []),
  ];
  return `${[`${held.length} tools`, ...changes].join(', ')} (all: helve grants ${agent} --granted)`;
}

function shorten(tools: readonly string[]): string {
  const more = tools.length - maxNames;
  return `${tools.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
