/** `helve policies`: the rules that calls are held against, and which of them have no effect. */
import type { Command } from 'commander';
import { action, type CliSettings, withSharedOptions } from '../context.js';

export function addPolicies(program: Command, settings: CliSettings): void {
  withSharedOptions(program.command('policies').description('list the policies'), settings).action(
    action(async ({ client, output }) => {
      const found = await client.call('GET /api/policies');
      if (output.json) return output.value(found, '');
      const rows = found.policies.map(({ id, effect, when, reason = '' }) => ({
        id,
        effect,
        when: JSON.stringify(when),
        reason,
        note: noteOn(id, found.withoutEffect),
      }));
      output.table(rows, ['id', 'effect', 'when', 'reason', 'note'], 'No policies.', 'whole');
    }),
  );
}

function noteOn(
  id: string,
  dead: readonly {
    readonly policy: string;
    readonly path: string;
    readonly message: string;
    readonly nearest?: string | undefined;
  }[],
): string {
  const notes = dead.filter(({ policy }) => policy === id);
  return notes
    .map(
      ({ path, message, nearest }) =>
        `${path} has no effect: ${message}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    )
    .join('. ');
}
