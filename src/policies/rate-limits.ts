/**
 * Rate limits: counters per address, per credential, per principal, per tool and per policy, in this process's memory.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { HelveError } from '../domain/errors.js';
import { defaultRateLimits } from '../domain/rate-limits.js';

/** Calls per minute; `null` switches the limit off. */
export interface RateLimitOptions {
  /** Requests from one address without a valid credential. Default 60. */
  readonly perIp?: number | null;
  /** Requests with one valid credential. Default 1,200. */
  readonly perCredential?: number | null;
  /** Calls by one principal, including those that are refused or wait for a person. Default 600. */
  readonly perPrincipal?: number | null;
  /** Calls of one tool by one principal. Default 300. */
  readonly perTool?: number | null;
}

export interface LimitedCall {
  readonly workspaceId: string;
  readonly principalId: string;
  readonly tool: string;
  readonly policies: readonly { readonly policyId: string; readonly calls: number; readonly seconds: number }[];
}

export interface RateLimits {
  /** All methods throw `rate_limited` with the seconds to wait. */
  admitAddress(ip: string): Promise<void>;
  /** `key` identifies one valid credential. */
  admitCredential(key: string): Promise<void>;
  /**
   * Counts an invalid credential by its first characters: retries of one credential cannot use up the limit of its
   * address.
   */
  admitFailure(ip: string, prefix: string): Promise<void>;
  /** Counts every request for a call, before it is known whether it will be refused. */
  admitPrincipal(principal: Pick<LimitedCall, 'workspaceId' | 'principalId'>): Promise<void>;
  /** Counts a call that would run, against its tool and the matching policies. */
  admitCall(call: LimitedCall): Promise<void>;
  /** The same answers as `admitPrincipal` and `admitCall`; nothing is counted. */
  readonly foresee: Pick<RateLimits, 'admitPrincipal' | 'admitCall'>;
}

/** Maximum failures of one credential that count against its address. */
const maxFailuresEach = 10;
const maxPolicyLimiters = 1_000;

/** Creates the counters of this process. */
export function createRateLimits(options: RateLimitOptions = {}): RateLimits {
  const { perIp, perCredential, perPrincipal, perTool } = { ...defaultRateLimits, ...options };
  const address = limiter(perIp, 60);
  const failures = limiter(perIp, 60);
  const failuresEach = limiter(perIp === null ? null : Math.min(perIp, maxFailuresEach), 60);
  const credential = limiter(perCredential, 60);
  const principal = limiter(perPrincipal, 60);
  const tool = limiter(perTool, 60);
  const byPolicy = new Map<string, RateLimiterMemory>();

  function policyLimiter(workspaceId: string, policy: LimitedCall['policies'][number]): RateLimiterMemory {
    const key = JSON.stringify([workspaceId, policy.policyId, policy.seconds]);
    const known = byPolicy.get(key);
    if (known) {
      // The calls so far count against a changed limit too: otherwise a lower one would let more calls through.
      known.points = policy.calls;
      return known;
    }
    // A removed policy leaves its limiter behind; dropping all of them only restarts the counts.
    if (byPolicy.size >= maxPolicyLimiters) byPolicy.clear();
    const created = new RateLimiterMemory({ points: policy.calls, duration: policy.seconds });
    byPolicy.set(key, created);
    return created;
  }

  function callLimits(use: Use): Pick<RateLimits, 'admitPrincipal' | 'admitCall'> {
    return {
      async admitPrincipal({ workspaceId, principalId }) {
        await use(principal, `${workspaceId}/${principalId}`, `calls by this principal (${perPrincipal} a minute)`);
      },
      async admitCall(call) {
        const who = `${call.workspaceId}/${call.principalId}`;
        await use(tool, `${who}/${call.tool}`, `calls of ${call.tool} (${perTool} a minute)`);
        for (const policy of call.policies) {
          const what = `calls under policy ${policy.policyId} (${policy.calls} in ${policy.seconds} s)`;
          await use(policyLimiter(call.workspaceId, policy), who, what);
        }
      },
    };
  }

  return {
    async admitAddress(ip) {
      await consume(address, ip, `requests from this address (${perIp} a minute)`);
    },
    async admitCredential(key) {
      await consume(credential, key, `requests with this credential (${perCredential} a minute)`);
    },
    async admitFailure(ip, prefix) {
      await consume(failuresEach, `${ip} ${prefix}`, 'requests with this credential, which is not valid');
      await consume(failures, ip, `bad credentials from this address (${perIp} a minute)`);
    },
    ...callLimits(consume),
    foresee: callLimits(foresee),
  };
}

type Use = (counter: RateLimiterMemory | undefined, key: string, what: string) => Promise<void>;

function limiter(points: number | null, duration: number): RateLimiterMemory | undefined {
  return points === null ? undefined : new RateLimiterMemory({ points, duration });
}

async function consume(counter: RateLimiterMemory | undefined, key: string, what: string): Promise<void> {
  if (!counter) return;
  try {
    await counter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    // Only what was admitted counts, so that a limit that is raised lets calls through at once.
    await counter.reward(key);
    throw tooMany(what, refusal as RateLimiterRes);
  }
}

/** Throws if `consume` would throw now. */
async function foresee(counter: RateLimiterMemory | undefined, key: string, what: string): Promise<void> {
  const used = await counter?.get(key);
  if (used && used.remainingPoints <= 0) throw tooMany(what, used);
}

function tooMany(what: string, { msBeforeNext }: RateLimiterRes): HelveError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new HelveError('rate_limited', `Too many ${what}`, {
    hint: `Wait ${retryAfterSeconds} s before the next call.`,
    details: { retryAfterSeconds },
  });
}
