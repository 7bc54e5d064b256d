/** What an agent's loop may use: tokens and money, each of the attempt itself and of its organisation. */
import type { AgentWork, ModelAnswer } from '../../domain/agent-model.js';
import { addCents } from '../../util/money.js';

export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly code = 'budget_used';
}

export interface Budget {
  /** Counts an answer. Throws if money is limited and the answer does not say what it cost. */
  spend(answer: ModelAnswer): void;
  /** Throws if the model must not be asked again. */
  check(): void;
  readonly tokens: () => number;
}

const cents = (amount: number): string => `${amount} cents`;
const tokensOf = (amount: number): string => `${amount} tokens`;

/** The budget of one attempt. It depends only on the work and the answers, so that a replay decides the same. */
export function createBudget({ maxTokens, maxCents, left = {} }: AgentWork): Budget {
  const used = { tokens: 0, cents: 0 };
  const limits = [
    { of: 'tokens', max: maxTokens, show: tokensOf, whose: '' },
    { of: 'cents', max: maxCents, show: cents, whose: '' },
    { of: 'tokens', max: left.tokens, show: tokensOf, whose: ' that its organisation had left in this period' },
    { of: 'cents', max: left.cents, show: cents, whose: ' that its organisation had left in this period' },
  ] as const;
  const needsCost = maxCents !== undefined || left.cents !== undefined;
  return {
    spend({ inputTokens, outputTokens, cents: cost }) {
      used.tokens += inputTokens + outputTokens;
      if (cost !== undefined) used.cents = addCents(used.cents, cost);
      else if (needsCost)
        throw new BudgetError(
          'The model has no price, or did not say how many tokens it used, so the cost of the work is unknown although its money is limited',
        );
    },
    check() {
      for (const { of, max, show, whose } of limits)
        if (max !== undefined && used[of] >= max)
          throw new BudgetError(`The work has used ${show(used[of])} of the ${show(max)}${whose} and is not finished`);
    },
    tokens: () => used.tokens,
  };
}
