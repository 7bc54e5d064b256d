/** Which checks an issue may have: those that `verify` can run. A check that it cannot run is refused here, so that none is passed over. */
import { HelveError } from '../../domain/errors.js';
import type { Check } from '../../domain/task.js';
import { admitSchema } from '../../schema/index.js';

export type RunnableCheck = Extract<Check, { kind: 'tool' | 'output' | 'pull_request' | 'model' }>;

/** What the other kinds need, and does not exist yet. */
const needs: Readonly<Record<Exclude<Check['kind'], RunnableCheck['kind']>, string>> = {
  command: 'a working folder',
  files: 'a working folder',
  person: 'a way to ask a person',
};

export const isRunnable = (check: Check): check is RunnableCheck => !Object.hasOwn(needs, check.kind);

/**
 * Throws `invalid_input` for a kind that cannot be run, for a schema that cannot be honoured, and for a model that would judge
 * alone.
 */
export function requireRunnable(checks: readonly Check[]): void {
  for (const [at, check] of checks.entries()) {
    if (!isRunnable(check))
      throw new HelveError('invalid_input', `Checks of the kind ${check.kind} cannot be run yet`, {
        hint: `Such a check needs ${needs[check.kind]}. Use tool, output, pull_request or model.`,
        details: { check: at },
      });
    if ('schema' in check) admitSchema(check.schema);
  }
  if (checks.length > 0 && checks.every(({ kind }) => kind === 'model'))
    throw new HelveError('invalid_input', 'A model never judges alone', {
      hint: 'Add a check of another kind: tool, output or pull_request.',
    });
}
