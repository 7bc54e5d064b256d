/** The limits and the use of tasks: options of `helve task create`, and `helve task budget`. */
import type { Command } from 'commander';
import type { Api } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

interface LimitOptions {
  readonly maxTokens?: string;
  readonly maxCents?: string;
}

type Org = Api['GET /api/orgs/:id']['reply'];
type Usage = Pick<Org['billing'], 'steps' | 'tokens' | 'cents'>;

/** The limits that were given, if any. Throws `invalid_input` for a value that is not a number. */
export function readLimits({
  maxTokens,
  maxCents,
}: LimitOptions): { maxTokens?: number; maxCents?: number } | undefined {
  if (maxTokens === undefined && maxCents === undefined) return undefined;
  return defined({
    maxTokens: maxTokens === undefined ? undefined : readAmount('--max-tokens', maxTokens),
    maxCents: maxCents === undefined ? undefined : readAmount('--max-cents', maxCents),
  });
}

function readAmount(option: string, given: string): number {
  const amount = Number(given);
  if (given.trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new HelveError('invalid_input', `${option} must be a number from 0, not ${given}`, {
    hint: '--max-cents 250 is two dollars and a half.',
  });
}

/** `none` removes the limit. */
const readChange = (option: string, given: string | undefined) => {
  if (given === undefined) return undefined;
  return given === 'none' ? null : readAmount(option, given);
};

export function addTaskBudget(task: Command, settings: CliSettings): void {
  withSharedOptions(task.command('budget <org>'), settings)
    .description('show what the issues of an organisation have used in this billing period, or set what they may use')
    .option('--max-tokens <number>', 'tokens in one billing period, or none')
    .option('--max-cents <number>', 'US cents in one billing period, or none')
    .action(
      action<[string, LimitOptions]>(async ({ client, output }, id, { maxTokens, maxCents }) => {
        const limits = defined({
          maxTokens: readChange('--max-tokens', maxTokens),
          maxCents: readChange('--max-cents', maxCents),
        });
        const org =
          Object.keys(limits).length === 0
            ? await client.call('GET /api/orgs/:id', { params: { id } })
            : await client.call('PATCH /api/orgs/:id', { params: { id }, body: { limits } });
        output.value({ limits: org.limits, billing: org.billing }, printable(tellBudget(org).join('\n')));
      }),
    );
}

/** A line, or none if nothing was used. Money that is 0 is left out: the model may have no price. */
export function tellUsage({ usage }: { readonly usage: Usage }): readonly string[] {
  if (usage.steps === 0 && usage.tokens === 0) return [];
  return [
    `  used: ${usage.steps} steps, ${usage.tokens} tokens${usage.cents === 0 ? '' : `, ${usage.cents} US cents`}`,
  ];
}

function tellBudget({ id, state, billing, limits: { maxTokens, maxCents } }: Org): readonly string[] {
  const of = (most: number | undefined) => (most === undefined ? '' : ` of ${most}`);
  return [
    `${id}  ${state}${billing.period === undefined ? '' : `, ${billing.period}`}`,
    `  ${billing.steps} steps`,
    `  ${billing.tokens}${of(maxTokens)} tokens`,
    `  ${billing.cents}${of(maxCents)} US cents`,
  ];
}
