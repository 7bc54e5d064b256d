/** Whether a pull request can be merged, or why not. */

type CheckState = 'pending' | 'success' | 'failure' | 'neutral';

export interface PullRequestFacts {
  readonly draft: boolean;
  readonly review: { readonly approvals: readonly string[]; readonly changesRequested: readonly string[] };
  readonly requiredApprovals: number;
  /** The state of each check by its name. */
  readonly checks: Readonly<Record<string, CheckState>>;
  readonly requiredChecks: readonly string[];
  /** Whether there are no conflicts; null: not known yet. */
  readonly mergeable: boolean | null;
}

/** All checks as one: `failure` if one failed, `pending` if one has not ended, or none has reported. */
export function stateOfChecks({ checks, requiredChecks }: Pick<PullRequestFacts, 'checks' | 'requiredChecks'>): {
  readonly state: 'pending' | 'success' | 'failure';
  readonly failed: readonly string[];
} {
  const failed = namesIn(checks, 'failure');
  if (failed.length > 0) return { state: 'failure', failed };
  const isPending =
    Object.keys(checks).length === 0 ||
    namesIn(checks, 'pending').length > 0 ||
    missingIn(checks, requiredChecks).length > 0;
  return { state: isPending ? 'pending' : 'success', failed };
}

export function mergeability(facts: PullRequestFacts): { readonly can: boolean; readonly why: readonly string[] } {
  const { draft, review, requiredApprovals, checks, requiredChecks, mergeable } = facts;
  const waiting = [...namesIn(checks, 'pending'), ...missingIn(checks, requiredChecks)];
  const failed = namesIn(checks, 'failure');
  const missing = requiredApprovals - review.approvals.length;
  const why = [
    draft && 'It is a draft',
    mergeable === false && 'It has conflicts',
    mergeable === null && 'Whether it has conflicts is not known yet',
    review.changesRequested.length > 0 && `Changes are requested by ${review.changesRequested.join(', ')}`,
    missing > 0 && `Approvals missing: ${missing}`,
    failed.length > 0 && `Checks failed: ${failed.join(', ')}`,
    waiting.length > 0 && `Checks not ended: ${waiting.join(', ')}`,
  ].filter((reason) => reason !== false);
  return { can: why.length === 0, why };
}

function namesIn(checks: PullRequestFacts['checks'], state: CheckState): readonly string[] {
  return Object.keys(checks)
    .filter((name) => checks[name] === state)
    .sort();
}

function missingIn(checks: PullRequestFacts['checks'], required: readonly string[]): readonly string[] {
  return required.filter((name) => !Object.hasOwn(checks, name));
}
