/** `helve task`: issues are filed, given to agents, followed, retried and cancelled. */
import type { Command } from 'commander';
import type { Api } from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, type CommandContext, withSharedOptions } from '../context.js';
import { tellDelivered, tellIssueWait } from '../issue-wait.js';
import { wholeNumber } from '../numbers.js';
import { printable } from '../print.js';
import { addTaskBudget, readLimits, tellUsage } from './task-budget.js';
import { addTaskSource } from './task-source.js';

type Issue = Api['GET /api/issues/:id']['reply'];
type State = NonNullable<Api['GET /api/issues']['query']['state']>;

interface CreateOptions {
  readonly body?: string;
  readonly repo?: string;
  readonly project?: string;
  readonly label?: readonly string[];
  readonly require?: readonly string[];
  readonly recipe?: string;
  readonly agent?: string;
  readonly maxTokens?: string;
  readonly maxCents?: string;
}

interface ListOptions {
  readonly state?: State;
  readonly repo?: string;
  readonly project?: string;
  readonly agent?: string;
  readonly text?: string;
  readonly limit?: number;
}

interface DecideOptions {
  readonly check?: string;
  readonly reason?: string;
}

export function addTask(program: Command, settings: CliSettings): void {
  const task = program.command('task').description('issues that agents finish');
  addCreate(task, settings);
  addTaskSource(task, settings);
  addTaskBudget(task, settings);
  withSharedOptions(task.command('list', { isDefault: true }), settings)
    .description('list issues, newest first')
    .option('--state <state>', 'only those in this state, such as blocked')
    .option('--repo <ref>', 'only those of this repository')
    .option('--project <ref>', 'only those of this project')
    .option('--agent <agent>', 'only those that are assigned to this agent')
    .option('--text <words>', 'only those with this in their title or text')
    .option('--limit <number>', 'at most this many', wholeNumber)
    .action(
      action<[ListOptions]>(async ({ client, output }, { state, repo, project, agent, text, limit }) => {
        const query = defined({ state, repo, project, agent, text, limit });
        const { issues } = await client.call('GET /api/issues', { query });
        const rows = output.json ? issues : issues.map((issue) => ({ ...issue, state: stateOf(issue) }));
        output.table(rows, ['id', 'state', 'agent', 'title'], 'There are no issues.');
      }),
    );
  withSharedOptions(task.command('show <id>'), settings)
    .description('show one issue and what happened to it')
    .action(
      action<[string]>(async ({ client, output }, id) => {
        const issue = await client.call('GET /api/issues/:id', { params: { id } });
        const { entries } = await client.call('GET /api/issues/:id/timeline', { params: { id } });
        const lines = [...tell(issue), ...tellUsage(issue), '', ...entries.map(tellEntry)];
        output.value({ ...issue, timeline: entries }, printable(lines.join('\n')));
      }),
    );
  withSharedOptions(task.command('assign <id> <agent>'), settings)
    .description('give an issue to an agent, which acts for you')
    .action(
      action<[string, string]>(async ({ client, output }, id, agent) => {
        const issue = await client.call('POST /api/issues/:id/assign', { params: { id }, body: { agent } });
        output.value(issue, printable(tell(issue).join('\n')));
      }),
    );
  withSharedOptions(task.command('board <project>'), settings)
    .description('show the columns of a project with their issues')
    .action(
      action<[string]>(async ({ client, output }, id) => {
        const project = await client.call('GET /api/projects/:id', { params: { id } });
        output.value(project, printable(tellBoard(project).join('\n')));
      }),
    );
  withSharedOptions(task.command('follow <id>'), settings)
    .description('print each new state of an issue, until it is done, failed or cancelled')
    .action(action<[string]>(follow));
  addDecisions(task, settings);
  for (const [name, what] of [
    ['retry', 'begin again with an issue that has failed or was cancelled'],
    ['cancel', 'cancel an issue; its work is stopped'],
    ['unassign', 'take an issue from its agent'],
  ] as const)
    withSharedOptions(task.command(`${name} <id>`), settings)
      .description(what)
      .action(
        action<[string]>(async ({ client, output }, id) => {
          const issue = await client.call(`POST /api/issues/:id/${name}`, { params: { id } });
          output.value(issue, printable(tell(issue).join('\n')));
        }),
      );
}

function addCreate(task: Command, settings: CliSettings): void {
  withSharedOptions(task.command('create <title>'), settings)
    .description('file an issue')
    .option('--body <markdown>', 'what is to be done')
    .option('--repo <ref>', 'its repository: github:acme/shop')
    .option('--project <ref>', 'its project')
    .option('--label <label...>', 'labels')
    .option('--require <app...>', 'apps without which its agent does not start')
    .option('--recipe <name>', 'the recipe whose steps its agent follows')
    .option('--agent <agent>', 'give it to this agent at once')
    .option('--max-tokens <number>', 'tokens that one attempt may use')
    .option('--max-cents <number>', 'US cents that one attempt may cost')
    .action(
      action<[string, CreateOptions]>(async ({ client, output }, title, options) => {
        const { body, repo, project, label, require: requiredApps, recipe, agent } = options;
        const tools = requiredApps && { requiredApps: [...requiredApps] };
        const limits = readLimits(options);
        const fields = defined({ body, repo, project, labels: label && [...label], tools, recipe, limits });
        const filed = await client.call('POST /api/issues', { body: { title, ...fields } });
        const assigned = agent === undefined ? undefined : { params: { id: filed.id }, body: { agent } };
        const issue = assigned ? await client.call('POST /api/issues/:id/assign', assigned) : filed;
        const { notice } = filed;
        const told = notice === undefined ? tell(issue) : [...tell(issue), notice];
        output.value({ ...issue, ...defined({ notice }) }, printable(told.join('\n')));
      }),
    );
}

/** What verification asks a person. */
function addDecisions(task: Command, settings: CliSettings): void {
  const decide =
    (accepted: boolean) =>
    async ({ client, output }: CommandContext, id: string, { check, reason }: DecideOptions): Promise<void> => {
      const asked = check ?? String(findAsked(await client.call('GET /api/issues/:id', { params: { id } })));
      const body = { accepted, ...defined({ reason }) };
      const issue = await client.call('POST /api/issues/:id/checks/:check', { params: { id, check: asked }, body });
      output.value(issue, printable(tell(issue).join('\n')));
    };
  withSharedOptions(task.command('accept <id>'), settings)
    .description('accept the work on an issue, where its verification asks a person')
    .option('--check <number>', 'which check, from 0; default: the first that asks')
    .option('--reason <text>', 'why')
    .action(action<[string, DecideOptions]>(decide(true)));
  withSharedOptions(task.command('reject <id>'), settings)
    .description('reject the work on an issue and say what is missing; its agent tries again')
    .option('--check <number>', 'which check, from 0; default: the first that asks')
    .requiredOption('--reason <text>', 'what is missing: the next attempt reads it')
    .action(action<[string, DecideOptions]>(decide(false)));
}

/** The first check that asks a person; otherwise 0, and the server reports that this check does not ask. */
function findAsked({ waitsFor }: Issue): number {
  const asks = (waitsFor as { readonly asks?: readonly { readonly check: number }[] } | undefined)?.asks ?? [];
  return asks[0]?.check ?? 0;
}

const ends = ['done', 'failed', 'cancelled'];

/** Exits with 1 unless the issue is done. */
async function follow({ client, output }: CommandContext, id: string): Promise<void> {
  let said = '';
  for await (const issue of client.followIssue(id)) {
    const now = JSON.stringify([stateOf(issue), issue.attempts, issue.blockedBy, issue.waitsFor]);
    if (now !== said)
      output.json ? output.line(JSON.stringify(issue)) : output.line(printable(tell(issue).slice(1).join('\n')));
    said = now;
    if (!ends.includes(issue.state)) continue;
    if (issue.state !== 'done') process.exitCode = 1;
    return;
  }
}

const stateOf = ({ state, phase }: Issue): string => (phase === undefined ? state : `${state} (${phase})`);

/** The issue in lines; the first names it. */
function tell(issue: Issue): readonly string[] {
  const { id, title, agent, attempts, recipe, blockedBy, lastError } = issue;
  const worker = agent === undefined ? '' : `, ${agent}${attempts > 0 ? `, attempt ${attempts}` : ''}`;
  return [
    `${id}  ${title}`,
    `${stateOf(issue)}${worker}`,
    ...(recipe === undefined ? [] : [`  recipe ${recipe}`]),
    ...blockedBy.map(({ message, connectUrl }) => `  ${message}${connectUrl === undefined ? '' : `: ${connectUrl}`}`),
    ...(lastError && issue.state !== 'done' ? [`  ${lastError.message}`] : []),
    ...tellIssueWait(issue),
    ...tellDelivered(issue),
  ];
}

function tellBoard({ state, columns, titles = {}, closed }: Api['GET /api/projects/:id']['reply']): readonly string[] {
  const shown = columns.map(({ name, issues }) => [name, ...issues.map((id) => `  ${id}  ${titles[id] ?? ''}`)]);
  const end = [...(state === 'full' ? ['No further issue may begin.'] : []), `${closed} closed`];
  return [...shown.flat(), ...end];
}

type Entry = Api['GET /api/issues/:id/timeline']['reply']['entries'][number];

function tellEntry(entry: Entry): string {
  if (entry.what === 'created') return `${entry.at}  filed by ${entry.by.name}`;
  if (entry.what === 'comment') return `${entry.at}  ${entry.comment.author.name}: ${entry.comment.text}`;
  const { at, type, state, setAside } = entry;
  return `${at}  ${type}${state === undefined ? '' : ` → ${state}`}${setAside === undefined ? '' : ` (set aside: ${setAside})`}`;
}
