/** `helve types`: the TypeScript declarations of tools, for a program. */
import type { Command } from 'commander';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

interface TypesOptions {
  readonly agent?: string;
  readonly index?: boolean;
}

export function addTypes(program: Command, settings: CliSettings): void {
  withSharedOptions(program.command('types [names...]'), settings)
    .description('TypeScript declarations of tools; names: toolkits, connections or namespaces')
    .option('--agent <name>', 'of the tools of this agent')
    .option('--index', 'only a line for each tool')
    .action(
      action<[string[], TypesOptions]>(async ({ client, output }, names, { agent, index = false }) => {
        const only = names.length === 0 ? undefined : names.join(',');
        const query = defined({ agent, only, format: index ? ('index' as const) : undefined });
        const found = await client.call('GET /api/types', { query });
        if (output.json) return output.value(found, '');
        if (found.namespaces.length === 0)
          return output.line(
            'No tools. A policy may deny them, or nothing is granted: helve policies, helve grant --help',
          );
        output.line(printable(found.text));
      }),
    );
}
