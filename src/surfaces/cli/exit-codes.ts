/** Exit codes by kind of error: one table, which docs/cli.md repeats. */
import type { ErrorCode } from '../../domain/errors.js';

const exitCodes = {
  /** Helve, the tool or the operator's settings failed. */
  failed: 1,
  /** The command or its arguments are wrong. */
  usage: 2,
  /** The caller may not do this, or not now. */
  refused: 3,
  /** A person must approve the call first. */
  needsApproval: 4,
  /** The tool, agent, account … does not exist. */
  notFound: 5,
  /** Helve, or the service behind a tool, does not respond. */
  unreachable: 6,
} as const;

const kinds: Readonly<Record<ErrorCode, keyof typeof exitCodes>> = {
  invalid_input: 'usage',
  invalid_config: 'failed',
  unauthenticated: 'refused',
  forbidden: 'refused',
  intent_mismatch: 'refused',
  not_granted: 'refused',
  denied_by_policy: 'refused',
  approval_required: 'needsApproval',
  approval_rejected: 'refused',
  connection_inaccessible: 'refused',
  egress_blocked: 'refused',
  tool_not_found: 'notFound',
  ambiguous: 'usage',
  not_found: 'notFound',
  conflict: 'failed',
  precondition_failed: 'failed',
  expired: 'notFound',
  too_large: 'usage',
  rate_limited: 'refused',
  cancelled: 'failed',
  tool_failed: 'failed',
  upstream_failed: 'unreachable',
  invalid_output: 'failed',
  outcome_unknown: 'failed',
  timeout: 'unreachable',
  storage_failed: 'failed',
  shutting_down: 'unreachable',
  internal: 'failed',
};

/** Returns the exit code for an error's code. */
export function getExitCode(code: ErrorCode): number {
  return exitCodes[kinds[code]];
}
