/** `helve tools …`: lists, searches and describes tools. */
import type { Command } from 'commander';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { didYouMean } from '../../../util/nearest.js';
import { action, type CliSettings, fail, withSharedOptions } from '../context.js';
import { wholeNumber } from '../numbers.js';
import { type Output, printable } from '../print.js';

interface SearchOptions {
  readonly agent?: string;
  readonly limit?: number;
  readonly toolkit?: readonly string[];
  readonly explain?: boolean;
}

export function addTools(program: Command, settings: CliSettings): void {
  const tools = program.command('tools').description('tools that you, or an agent, may call');
  addList(tools, settings);
  addSearch(tools, settings);
  withSharedOptions(tools.command('describe <names...>').description('describe tools in full'), settings)
    .option('--agent <name>', 'as this agent sees them')
    .action(
      action<[string[], { agent?: string }]>(async ({ client, output }, names, { agent }) => {
        const body = { names, ...defined({ agent }) };
        const found = await client.call('POST /api/tools/describe', { body });
        if (output.json || found.tools.length > 0)
          output.value(found, printable(found.tools.map(described).join('\n\n')));
        if (found.unknown.length > 0) fail(unknownTools(found.unknown), output);
      }),
    );
  withSharedOptions(tools.command('stats').description('show statistics of searches since the start'), settings).action(
    action(async ({ client, output }) => {
      const stats = await client.call('GET /api/tools/search/stats');
      if (output.json) return output.value(stats, '');
      const rows = Object.entries(stats.tiers).map(([tier, { count, milliseconds }]) => ({
        tier,
        count,
        average: count === 0 ? '' : `${(milliseconds / count).toFixed(2)} ms`,
      }));
      output.table(rows, ['tier', 'count', 'average'], '');
      output.line(`${stats.searches} searches, ${stats.abstained} found no match.`);
      output.line(`${stats.indexed.tools} tools of ${stats.indexed.toolkits} toolkits are indexed.`);
      if (stats.embeddings === undefined) return;
      const { model, vectors, waiting, used, late, failed, skipped } = stats.embeddings;
      output.line(printable(`Embeddings of ${model}: ${vectors} texts of tools have vectors, ${waiting} wait.`));
      output.line(`${used} searches used them; without: ${late} late, ${failed} failed, ${skipped} skipped.`);
    }),
  );
}

function addList(tools: Command, settings: CliSettings): void {
  withSharedOptions(tools.command('list', { isDefault: true }).description('list tools'), settings)
    .option('--agent <name>', 'as this agent sees them')
    .option('--all', 'list all callable tools, even if the agent sees only the meta-tools')
    .action(
      action<[{ agent?: string; all?: boolean }]>(async ({ client, output }, { agent, all = false }) => {
        const query = { ...defined({ agent }), ...(all ? { all: 'true' as const } : {}) };
        const { tools: listed } = await client.call('GET /api/tools/workspace', { query });
        const rows = output.json
          ? listed
          : listed.map(({ name, tool }) => ({
              name,
              risk: tool.risk,
              toolkit: tool.id.toolkit,
              description: tool.description,
            }));
        output.table(
          rows,
          ['name', 'risk', 'toolkit', 'description'],
          'No tools. A policy may deny them, or nothing is granted: helve policies, helve grant --help',
        );
      }),
    );
}

function addSearch(tools: Command, settings: CliSettings): void {
  withSharedOptions(tools.command('search <text>').description('find tools by what they do'), settings)
    .option('--agent <name>', 'search only the tools of this agent')
    .option('--limit <n>', 'maximum number (default 10)', wholeNumber)
    .option('--toolkit <slug...>', 'only tools of these toolkits')
    .option('--explain', 'explain why each tool was found, and which words matched nothing')
    .action(
      action<[string, SearchOptions]>(async ({ client, output }, text, { agent, limit, toolkit, explain = false }) => {
        const query = {
          q: text,
          explain: explain ? ('true' as const) : ('false' as const),
          ...defined({ agent, limit }),
          ...(toolkit === undefined ? {} : { toolkits: toolkit.join(',') }),
        };
        const found = await client.call('GET /api/tools/search', { query });
        if (output.json) return output.value(found, '');
        printFindings(found, explain, output);
      }),
    );
}

interface Findings {
  readonly hits: readonly {
    readonly name: string;
    readonly signature: string;
    readonly summary: string;
    readonly score: number;
    readonly why?: readonly string[] | undefined;
  }[];
  readonly tier: string;
  readonly answer: 'these' | 'perhaps' | 'nothing';
  readonly unmatched: readonly string[];
  readonly nearest?: readonly { toolkit: string; name: string; connected: boolean }[] | undefined;
  readonly hint?: string | undefined;
}

function printFindings(found: Findings, explain: boolean, output: Output): void {
  const { hits, tier, answer, unmatched, nearest = [], hint } = found;
  if (answer === 'nothing' && hits.length > 0) output.line('No match. The nearest:');
  for (const { name, signature, summary, score, why = [] } of hits) {
    output.line(printable(`${name}${signature} — ${summary}`));
    if (explain) output.line(printable(`    ${score.toFixed(2)}  ${why.join(', ') || 'its words'}`));
  }
  if (explain) {
    output.line(
      `\ntier: ${tier}${answer === 'nothing' ? ', no match' : answer === 'perhaps' ? ', perhaps a match' : ''}`,
    );
    if (unmatched.length > 0) output.line(printable(`no match for: ${unmatched.join(', ')}`));
    for (const { toolkit, name, connected } of nearest)
      output.line(
        printable(`would fit: ${name} (${connected ? `grant it: helve grants` : `helve connect ${toolkit}`})`),
      );
  }
  if (hint !== undefined) output.line(printable(`${hits.length > 0 ? '\n' : ''}${hint}`));
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly risk: string;
  readonly approval: string;
  readonly capabilities: readonly string[];
  readonly declaration: string;
}

function described({ name, description, risk, approval, capabilities, declaration }: Described): string {
  const facts = [
    `risk: ${risk}`,
    `approval: ${approval}`,
    ...(capabilities.length > 0 ? [capabilities.join(', ')] : []),
  ];
  return [name, description, facts.join(' · '), declaration].join('\n');
}

interface Unknown {
  readonly name: string;
  readonly nearest: readonly string[];
  readonly refused?: string | undefined;
}

/** Explains why these tools cannot be described: the reason of a refusal, or similar names for unknown ones. */
export function unknownTools(missing: readonly Unknown[]): HelveError {
  const sentences = missing.map(({ name, refused }) =>
    refused === undefined ? `No tool is named ${name}` : `The tool ${name} is not offered: ${refused}`,
  );
  const near = missing.flatMap(({ nearest }) => nearest);
  return new HelveError('tool_not_found', sentences.join('; '), {
    hint: didYouMean(near.length === 0 ? undefined : near.join(' or '), 'helve tools lists all tools.'),
  });
}
