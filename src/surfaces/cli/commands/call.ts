/** `helve call <tool> [json]`: calls a tool through the same pipeline as REST and MCP. */
import type { Command } from 'commander';
import { HelveError } from '../../../domain/errors.js';
import type { ToolResult } from '../../../domain/execution.js';
import { forModel } from '../../../formats/index.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, fail, withSharedOptions } from '../context.js';
import { printable } from '../print.js';
import { readJson } from '../read-json.js';

interface CallOptions {
  readonly agent?: string;
  readonly approval?: string;
  readonly intent?: string;
  readonly key?: string;
}

const shownChars = 20_000;
const example = `helve call calculate '{"expression":"1 + 1"}'`;

export function addCall(program: Command, settings: CliSettings): void {
  const command = program.command('call <tool> [input]').description('call a tool with JSON arguments');
  withSharedOptions(command, settings)
    .option('--agent <name>', 'call as this agent, under its grants')
    .option('--approval <id>', 'use this approval')
    .option('--intent <text>', 'what the person asked for: a tool that does something else is refused')
    .option('--key <text>', 'a call that is sent again with the same key is not made again')
    .action(
      action<[string, string | undefined, CallOptions]>(async ({ client, output }, tool, input, options) => {
        const { agent, approval: approvalId, intent, key: idempotencyKey } = options;
        const body = {
          tool,
          input: input === undefined ? {} : readJson(input, 'The arguments', example),
          ...defined({ agent, approvalId, intent, idempotencyKey }),
        };
        const result = (await client.call('POST /api/tools/execute', { body })) as ToolResult;
        if (result.ok) return output.value(result, printable(forModel(result, shownChars)));
        // A program gets the whole result; for a person this error is printed like any other.
        if (output.json) output.value(result, '');
        const { code, message, hint } = result.error;
        fail(new HelveError(code, message, hint === undefined ? {} : { hint }), output);
      }),
    );
}
