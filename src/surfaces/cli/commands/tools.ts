/** `helve tools`: what can be called, by whom, and why not. */
import type { Command } from 'commander';
import { action, type CliSettings, withSharedOptions } from '../context.js';

export function addTools(program: Command, settings: CliSettings): void {
  const command = program.command('tools').description('list the tools that you, or an agent, may call');
  withSharedOptions(command, settings)
    .option('--agent <name>', 'as this agent sees them')
    .action(
      action<[{ agent?: string }]>(async ({ client, output }, { agent }) => {
        const query = agent === undefined ? {} : { agent };
        const { tools } = await client.call('GET /api/tools/workspace', { query });
        const rows = output.json
          ? tools
          : tools.map(({ name, tool }) => ({
              name,
              risk: tool.risk,
              toolkit: tool.id.toolkit,
              description: tool.description,
            }));
        output.table(rows, ['name', 'risk', 'toolkit', 'description'], 'No tools. Grant some: helve grants --help');
      }),
    );
}
