/** A run as others than its owner see it: like the record, it has no secrets. */
import { redact, redactText } from '../../audit/index.js';
import type { JsonValue } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { Run } from '../../domain/run.js';
import { defined } from '../../util/defined.js';

const hide = <Part>(part: Part): Part => redact(part as JsonValue) as Part;

/**
 * A principal who may decide approvals sees the exact text of questions, and the exact arguments of planned effects unless they are
 * `forOthers`.
 */
export function hideSecrets({ permissions }: Principal, run: Run): Run {
  const { mode, code, intent, logs, value, calls, waits, error, issues, planned } = run;
  const isExact = permissions.includes('approvals:decide');
  return {
    ...run,
    // Of a call, the record of its execution says what of its arguments is secret.
    code: mode === 'call' ? '' : redactText(code),
    logs: logs.map(({ level, text }) => ({ level, text: redactText(text) })),
    calls: calls.map((call) => (call.error ? { ...call, error: hide(call.error) } : call)),
    waits: isExact ? waits : waits.map(hide),
    ...defined({
      intent: intent && redactText(intent),
      value: value === undefined ? undefined : redact(value),
      error: error && hide(error),
      issues: issues?.map(hide),
      planned: planned && {
        ...planned,
        effects: isExact && !planned.forOthers ? planned.effects : planned.effects.map(hide),
      },
    }),
  };
}
