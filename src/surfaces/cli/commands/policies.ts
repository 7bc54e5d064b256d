/** `helve policies …`: lists, changes and tries out policies, and shows which have no effect. */
import type { Command } from 'commander';
import type { PolicyBody } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { PolicyPreview } from '../../../domain/explain.js';
import type { JsonObject } from '../../../domain/json.js';
import { isPlainObject } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { listNames, orDidYouMean, suggestName } from '../../../util/nearest.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { counted, printable } from '../print.js';
import { readJson } from '../read-json.js';
import { unknownTools } from './tools.js';

const effects = ['allow', 'require_approval', 'deny'] as const;
const risks = ['read', 'write', 'destructive'] as const;

interface SetOptions {
  readonly effect: string;
  readonly agent?: string[];
  readonly toolkit?: string[];
  readonly tool?: string[];
  readonly risk?: string[];
  readonly arguments?: string;
  readonly rate?: string;
  readonly reason?: string;
  readonly elicitation?: boolean;
  readonly preview?: boolean;
}

export function addPolicies(program: Command, settings: CliSettings): void {
  const policies = program.command('policies').description('the rules that apply to calls');
  withSharedOptions(policies.command('list', { isDefault: true }).description('list the policies'), settings).action(
    action(async ({ client, output }) => {
      const found = await client.call('GET /api/policies');
      if (output.json) return output.value(found, '');
      const rows = found.policies.map(({ id, effect, when, reason = '' }) => ({
        id,
        effect,
        when: JSON.stringify(when),
        reason,
        note: noteOn(id, found.withoutEffect),
      }));
      output.table(rows, ['id', 'effect', 'when', 'reason', 'note'], 'No policies.', 'whole');
    }),
  );
  addSet(policies, settings);
  withSharedOptions(policies.command('remove <id>').description('remove a policy'), settings).action(
    action<[string]>(async ({ client, output }, id) => {
      const { policies: present, version } = await client.call('GET /api/policies');
      const left = present.filter((policy) => policy.id !== id);
      const ids = present.map((policy) => policy.id);
      if (left.length === present.length)
        throw new HelveError('not_found', `No policy has the id ${JSON.stringify(id)}`, {
          hint: suggestName(id, ids, `Existing policies: ${listNames(ids)}.`),
        });
      const body = { policies: left as PolicyBody[] };
      const stored = await client.call('PUT /api/policies', { body, ifMatch: version });
      output.value(stored, `Removed the policy ${id}.`);
    }),
  );
  addTry(policies, settings);
}

function addSet(policies: Command, settings: CliSettings): void {
  withSharedOptions(policies.command('set <id>').description('add a policy, or replace the one with that id'), settings)
    .requiredOption('--effect <effect>', effects.join(', '))
    .option('--agent <name...>', 'only calls of these agents')
    .option('--toolkit <slug...>', 'only tools of these toolkits')
    .option('--tool <name...>', 'only these tools: any form of the name, toolkit.*, *.name')
    .option('--risk <tier...>', `only tools of these tiers: ${risks.join(', ')}`)
    .option('--arguments <json>', 'only calls whose arguments satisfy this JSON Schema')
    .option('--rate <calls/seconds>', 'maximum number of matching calls per number of seconds, such as 10/60')
    .option('--reason <text>', 'shown to callers that are refused and to approvers')
    .option('--elicitation', "accept the person's answer through the calling client")
    .option('--no-elicitation', 'do not accept it through the client')
    .option('--preview', 'only show what it would change for the calls on record')
    .action(
      action<[string, SetOptions]>(async ({ client, output }, id, options) => {
        const policy = readPolicy(id, options);
        const { policies: present, version } = await client.call('GET /api/policies');
        const at = present.findIndex((one) => one.id === id);
        const next = at < 0 ? [...present, policy] : present.toSpliced(at, 1, policy);
        const body = { policies: next as PolicyBody[] };
        if (options.preview) {
          const seen = await client.call('POST /api/policies/preview', { body });
          return output.value(seen, describePreview(seen));
        }
        const stored = await client.call('PUT /api/policies', { body, ifMatch: version });
        const scope = Object.keys(policy.when).length === 0 ? ' It has no conditions: it applies to every call.' : '';
        const note = noteOn(id, stored.withoutEffect);
        const done = `${at < 0 ? 'Added' : 'Replaced'} the policy ${id}.${scope}`;
        output.value(stored, note === '' ? done : `${done} ${note}.`);
      }),
    );
}

const previewed = {
  newlyRefused: 'would be refused',
  newlyWaiting: 'would wait for a person',
  newlyFree: 'would no longer need a person',
  unknown: 'cannot be evaluated: the record does not have all of their arguments',
  same: 'would stay as they are',
} as const;
/** Number of calls that are shown of each kind. */
const maxPreviewed = 5;

function describePreview(seen: PolicyPreview): string {
  const lines = (Object.keys(previewed) as (keyof PolicyPreview)[]).flatMap((kind) => {
    const { count, calls } = seen[kind];
    if (count === 0) return [];
    const shown = kind === 'same' ? [] : calls.slice(0, maxPreviewed);
    return [
      `${counted(count, 'call')} ${previewed[kind]}`,
      ...shown.map(({ at, actor, tool, before, after }) => `  ${at}  ${actor}  ${tool}  ${before} → ${after}`),
    ];
  });
  return printable(lines.length === 0 ? 'No call is on record.' : lines.join('\n'));
}

function readPolicy(id: string, options: SetOptions): PolicyBody {
  const { agent, toolkit, tool, rate, reason, elicitation } = options;
  const risk = options.risk?.map((one) => parseChoice(risks, one, '--risk'));
  return {
    id,
    effect: parseChoice(effects, options.effect, '--effect'),
    when: {
      ...(agent && { agents: agent }),
      ...(toolkit && { toolkits: toolkit }),
      ...(tool && { tools: tool }),
      ...(risk && { risk }),
      ...(options.arguments === undefined ? {} : { arguments: readObject(options.arguments, '--arguments') }),
    },
    ...(rate === undefined ? {} : { rateLimit: readRate(rate) }),
    ...defined({ reason, elicitation }),
  };
}

function addTry(policies: Command, settings: CliSettings): void {
  withSharedOptions(
    policies
      .command('try <tool> [input]')
      .description('show how a call would be decided and by which rules; nothing runs'),
    settings,
  )
    .option('--agent <name>', 'a call of this agent')
    .action(
      action<[string, string | undefined, { agent?: string }]>(async ({ client, output }, tool, input, { agent }) => {
        if (input !== undefined) readObject(input, 'The arguments');
        const query = {
          tool,
          ...defined({ agent, input }),
        };
        const verdict = await client.call('GET /api/tools/access', { query });
        if (verdict.rule === 'tool.unknown') {
          const { unknown } = await client.call('POST /api/tools/describe', {
            body: { names: [tool], ...defined({ agent }) },
          });
          throw unknownTools(unknown);
        }
        if (verdict.rule === 'tool.ambiguous') throw new HelveError('ambiguous', verdict.reason);
        const rules = verdict.rules.map(
          ({ rule, effect, reason, dependsOnArguments }) =>
            `  ${rule}: ${effect}${dependsOnArguments ? ', for some arguments' : ''}. ${reason}`,
        );
        output.value(
          verdict,
          printable([`${verdict.effect}: ${verdict.reason} (${verdict.rule})`, ...rules].join('\n')),
        );
      }),
    );
}

function parseChoice<Choice extends string>(choices: readonly Choice[], text: string, option: string): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new HelveError('invalid_input', `${option}: ${JSON.stringify(text)} is not allowed`, {
    hint: `Use ${choices.join(', ')}.`,
  });
}

function readObject(text: string, what: string): JsonObject {
  const value = readJson(text, what, `'{"expression":"1 + 1"}'`);
  if (isPlainObject(value)) return value as JsonObject;
  throw new HelveError('invalid_input', `${what} must be a JSON object`, { hint: 'Put it in curly brackets.' });
}

function readRate(text: string): { calls: number; seconds: number } {
  const [, calls, seconds] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (Number(calls) > 0 && Number(seconds) > 0) return { calls: Number(calls), seconds: Number(seconds) };
  throw new HelveError('invalid_input', `--rate: ${JSON.stringify(text)} is not a rate`, {
    hint: 'Write calls/seconds, such as 10/60.',
  });
}

function noteOn(
  id: string,
  dead: readonly {
    readonly policy: string;
    readonly path: string;
    readonly message: string;
    readonly nearest?: string | undefined;
    readonly doubtful?: true | undefined;
  }[],
): string {
  const notes = dead.filter(({ policy }) => policy === id);
  return notes
    .map(
      ({ path, message, nearest, doubtful }) =>
        `${path} ${doubtful ? 'may have no effect' : 'has no effect'}: ${message}${orDidYouMean(nearest)}`,
    )
    .join('. ');
}
