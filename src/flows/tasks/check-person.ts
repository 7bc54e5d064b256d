/** The check `person`: people are asked once all other checks have passed. */
import type { JsonObject } from '../../domain/json.js';
import type { Check, CheckResult } from '../../domain/task.js';
import { sha256 } from '../../util/hash.js';
import { failed, passed } from './check-results.js';

type PersonCheck = Extract<Check, { kind: 'person' }>;

/** As the machine keeps it. */
export interface Decision {
  readonly check: number;
  readonly of: string;
  readonly accepted: boolean;
  readonly reason: string;
  readonly by: JsonObject;
}

/** Identifies a check. A result about another check that had this place before does not count. */
export const hashOf = (check: Check): string => sha256(JSON.stringify(check));

/** Undefined while nobody has decided. */
export function readDecision(check: PersonCheck, at: number, decisions: readonly Decision[]): CheckResult | undefined {
  const decision = decisions.find((one) => one.check === at && one.of === hashOf(check));
  if (!decision) return undefined;
  const { accepted, reason, by } = decision;
  const evidence = { by, reason };
  return accepted ? passed(check, evidence) : failed(check, `${by.name} did not accept it: ${reason}`, evidence);
}

/** What the person is asked. */
export const describeAsk = (check: PersonCheck, at: number): JsonObject => ({
  check: at,
  question: check.question ?? 'Is the work good?',
  who: check.who ?? null,
});
