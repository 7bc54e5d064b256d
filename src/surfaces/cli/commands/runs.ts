/** `helve runs`: the programs that ran or wait, one of them in words, and what a person decides about it. */
import type { Command } from 'commander';
import { HelveError } from '../../../domain/errors.js';
import type { Run, RunDecision } from '../../../domain/run.js';
import { defined } from '../../../util/defined.js';
import { suggestName } from '../../../util/nearest.js';
import { action, type CliSettings, type CommandContext, withSharedOptions } from '../context.js';
import { readJson } from '../read-json.js';
import { tellRun } from '../run-view.js';
import { finish, stay } from './run.js';

interface ShowOptions {
  readonly agent?: string;
  readonly follow?: boolean;
}

const defaultListed = 30;

export function addRuns(program: Command, settings: CliSettings): void {
  const runs = program.command('runs').description('programs that ran or wait');
  withSharedOptions(runs.command('show [id]', { isDefault: true }), settings)
    .description('list runs, newest first, or show what one run did and what it waits for')
    .option('--agent <name>', 'only runs of this agent')
    .option('--follow', 'stay with the run until it ends')
    .action(
      action<[string | undefined, ShowOptions]>(async (context, id, options) => {
        if (id === undefined) return listRuns(context, options.agent);
        const run = (await context.client.call('GET /api/runs/:id', { params: { id } })) as Run;
        if (options.follow) return finish(context, await stay(context, run));
        context.output.value(run, tellRun(run));
      }),
    );
  withSharedOptions(runs.command('cancel <id>').description('end a run; its calls in flight are cancelled'), settings)
    .option('--agent <name>', 'a run that you started as this agent')
    .action(
      action<[string, { agent?: string }]>(async ({ client, output }, id, { agent }) => {
        const query = defined({ agent });
        const run = await client.call('POST /api/runs/:id/cancel', { params: { id }, query });
        output.value(run, `The run ${run.id} is ${run.status}.`);
      }),
    );
  for (const [name, decision] of [
    ['approve-plan', 'approve_plan'],
    ['reject-plan', 'reject_plan'],
  ] as const)
    withSharedOptions(runs.command(`${name} <id>`), settings)
      .description(`${name.split('-')[0]} all effects of a plan`)
      .action(
        action<[string]>(async (context, id) => {
          const run = await decide(context, id, { decision });
          context.output.value(run, `The plan ${run.id} is ${run.planned?.status}.`);
        }),
      );
  addAnswer(runs, settings);
  withSharedOptions(runs.command('decide <id> <call> <happened|not-happened>'), settings)
    .description('say whether the effect of a call in doubt happened')
    .option('--output <json>', 'what the program gets as its answer, if it happened')
    .action(
      action<[string, string, string, { output?: string }]>(async (context, ...[id, call, said, options]) => {
        const run = await decide(context, id, readDecision(call, said, options.output));
        context.output.value(run, tellRun(run));
      }),
    );
}

function addAnswer(runs: Command, settings: CliSettings): void {
  withSharedOptions(runs.command('answer <id> <call> <text>'), settings)
    .description('answer a question of a program')
    .action(
      action<[string, string, string]>(async (context, ...[id, call, text]) => {
        const run = await decide(context, id, { decision: 'answer', number: readNumber(call), text });
        context.output.value(run, tellRun(run));
      }),
    );
}

async function listRuns({ client, output }: CommandContext, agent: string | undefined): Promise<void> {
  const principal = agent === undefined ? undefined : await findAgent({ client }, agent);
  const query = { limit: defaultListed, ...defined({ principal }) };
  const { runs } = await client.call('GET /api/runs', { query });
  const rows = output.json
    ? runs
    : runs.map((run) => ({ ...run, who: run.principal.name, calls: run.callCount, started: run.startedAt }));
  output.table(
    rows,
    ['id', 'status', 'mode', 'who', 'calls', 'started', 'intent'],
    'No program that you may see has run yet.',
  );
}

async function findAgent({ client }: Pick<CommandContext, 'client'>, name: string): Promise<string> {
  const { agents } = await client.call('GET /api/agents');
  const found = agents.find(({ slug, id }) => slug === name || id === name);
  if (found) return found.id;
  throw new HelveError('not_found', `There is no agent ${JSON.stringify(name)}`, {
    hint: suggestName(
      name,
      agents.map(({ slug }) => slug),
      'helve agents lists them.',
    ),
  });
}

async function decide({ client }: CommandContext, id: string, body: RunDecision): Promise<Run> {
  return (await client.call('POST /api/runs/:id/decide', { params: { id }, body })) as Run;
}

function readNumber(call: string): number {
  const number = Number(call);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new HelveError('invalid_input', `${JSON.stringify(call)} is not the number of a call`, {
    hint: 'helve runs <id> shows the calls with their numbers.',
  });
}

function readDecision(call: string, said: string, output: string | undefined): RunDecision {
  const number = readNumber(call);
  if (said === 'not-happened') return { decision: 'not_happened', number };
  if (said === 'happened')
    return {
      decision: 'happened',
      number,
      ...(output === undefined ? {} : { output: readJson(output, '--output', `--output '{"id":7}'`) }),
    };
  throw new HelveError('invalid_input', `${JSON.stringify(said)} is not a decision`, {
    hint: 'Say happened or not-happened.',
  });
}
