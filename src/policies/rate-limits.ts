/** Rate limits: counters per address, per credential, per principal, per tool and per policy. */
import { HelveError } from '../domain/errors.js';
import { defaultRateLimits, type SharedCounts } from '../domain/rate-limits.js';
import { type Counter, createCounter } from './counters.js';

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

/** `shared`: where all processes on the store count together. Without it this process counts for itself. */
export function createRateLimits(options: RateLimitOptions = {}, shared?: SharedCounts): RateLimits {
  const { perIp, perCredential, perPrincipal, perTool } = { ...defaultRateLimits, ...options };
  const aMinute = (name: string, limit: number | null): Counter | undefined =>
    limit === null ? undefined : createCounter({ name, limit, seconds: 60 }, shared);
  const address = aMinute('address', perIp);
  const failures = aMinute('failures', perIp);
  const failuresEach = aMinute('failures each', perIp === null ? null : Math.min(perIp, maxFailuresEach));
  const credential = aMinute('credential', perCredential);
  const principal = aMinute('principal', perPrincipal);
  const tool = aMinute('tool', perTool);
  const byPolicy = new Map<string, Counter>();

  function policyLimiter(workspaceId: string, policy: LimitedCall['policies'][number]): Counter {
    const key = JSON.stringify([workspaceId, policy.policyId, policy.seconds]);
    const known = byPolicy.get(key);
    if (known) {
      // The calls so far count against a changed limit too: otherwise a lower one would let more calls through.
      known.limit = policy.calls;
      return known;
    }
    // A removed policy leaves its limiter behind; dropping all of them only restarts the counts.
    if (byPolicy.size >= maxPolicyLimiters) byPolicy.clear();
    const created = createCounter({ name: `policy ${key}`, limit: policy.calls, seconds: policy.seconds }, shared);
    byPolicy.set(key, created);
    return created;
  }

  function callLimits(use: Use): Pick<RateLimits, 'admitPrincipal' | 'admitCall'> {
    return {
      admitPrincipal: ({ workspaceId, principalId }) =>
        use(principal, `${workspaceId}/${principalId}`, `calls by this principal (${perPrincipal} a minute)`),
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

type Use = (counter: Counter | undefined, key: string, what: string) => Promise<void>;

async function consume(counter: Counter | undefined, key: string, what: string): Promise<void> {
  const waitMs = await counter?.consume(key);
  if (waitMs !== undefined) throw tooMany(what, waitMs);
}

/** Throws if `consume` would throw now. */
async function foresee(counter: Counter | undefined, key: string, what: string): Promise<void> {
  const waitMs = await counter?.foresee(key);
  if (waitMs !== undefined) throw tooMany(what, waitMs);
}

function tooMany(what: string, waitMs: number): HelveError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new HelveError('rate_limited', `Too many ${what}`, {
    hint: `Wait ${retryAfterSeconds} s before the next call.`,
    details: { retryAfterSeconds },
  });
}
