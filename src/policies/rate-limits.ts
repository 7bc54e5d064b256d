/** How often: counters per address, per credential, per principal, per tool and per policy, in this process's memory. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { HelveError } from '../domain/errors.js';

/** Calls a minute; `null` switches the limit off. */
export interface RateLimitOptions {
  /** Requests from one address without a good credential. Default 60. */
  readonly perIp?: number | null;
  /** Requests with one good credential. Default 1,200. */
  readonly perCredential?: number | null;
  /** Calls by one principal, those that are refused or wait for a person too. Default 600. */
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
  /** Throws `rate_limited` with the seconds to wait. */
  admitAddress(ip: string): Promise<void>;
  /** `key` stands for one good credential. */
  admitCredential(key: string): Promise<void>;
  /** A bad credential, by its first characters: one that is tried again and again cannot use up what its address has. */
  admitFailure(ip: string, prefix: string): Promise<void>;
  /** Every request of a call, before it is known whether it will be refused. */
  admitPrincipal(principal: Pick<LimitedCall, 'workspaceId' | 'principalId'>): Promise<void>;
  /** A call that would run: its tool and the policies that it falls under. */
  admitCall(call: LimitedCall): Promise<void>;
}

const defaults = { perIp: 60, perCredential: 1_200, perPrincipal: 600, perTool: 300 };
/** Of the failures of one address, those of one credential. */
const maxFailuresEach = 10;
const maxPolicyLimiters = 1_000;

export function createRateLimits(options: RateLimitOptions = {}): RateLimits {
  const { perIp, perCredential, perPrincipal, perTool } = { ...defaults, ...options };
  const address = limiter(perIp, 60);
  const failures = limiter(perIp, 60);
  const failuresEach = limiter(perIp === null ? null : Math.min(perIp, maxFailuresEach), 60);
  const credential = limiter(perCredential, 60);
  const principal = limiter(perPrincipal, 60);
  const tool = limiter(perTool, 60);
  const byPolicy = new Map<string, RateLimiterMemory>();

  function policyLimiter(workspaceId: string, policy: LimitedCall['policies'][number]): RateLimiterMemory {
    const key = JSON.stringify([workspaceId, policy.policyId, policy.calls, policy.seconds]);
    const known = byPolicy.get(key);
    if (known) return known;
    // A changed policy leaves its old limiter behind; dropping all of them only restarts the counts.
    if (byPolicy.size >= maxPolicyLimiters) byPolicy.clear();
    const created = new RateLimiterMemory({ points: policy.calls, duration: policy.seconds });
    byPolicy.set(key, created);
    return created;
  }

  return {
    async admitAddress(ip) {
      await consume(address, ip, `requests from this address (${perIp} a minute)`);
    },
    async admitCredential(key) {
      await consume(credential, key, `requests with this credential (${perCredential} a minute)`);
    },
    async admitFailure(ip, prefix) {
      await consume(failuresEach, `${ip} ${prefix}`, 'requests with this credential, which is not good');
      await consume(failures, ip, `bad credentials from this address (${perIp} a minute)`);
    },
    async admitPrincipal({ workspaceId, principalId }) {
      await consume(principal, `${workspaceId}/${principalId}`, `calls by this principal (${perPrincipal} a minute)`);
    },
    async admitCall(call) {
      const who = `${call.workspaceId}/${call.principalId}`;
      await consume(tool, `${who}/${call.tool}`, `calls of ${call.tool} (${perTool} a minute)`);
      for (const policy of call.policies) {
        const what = `calls under policy ${policy.policyId} (${policy.calls} in ${policy.seconds} s)`;
        await consume(policyLimiter(call.workspaceId, policy), who, what);
      }
    },
  };
}

function limiter(points: number | null, duration: number): RateLimiterMemory | undefined {
  return points === null ? undefined : new RateLimiterMemory({ points, duration });
}

async function consume(counter: RateLimiterMemory | undefined, key: string, what: string): Promise<void> {
  if (!counter) return;
  try {
    await counter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1_000));
    throw new HelveError('rate_limited', `Too many ${what}`, {
      hint: `Wait ${retryAfterSeconds} s before the next call.`,
      details: { retryAfterSeconds },
    });
  }
}
