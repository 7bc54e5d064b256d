/** `helve check`: type-checks a program against an agent's tools, and runs nothing. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { action, type CliSettings, type CommandContext, withSharedOptions } from '../context.js';
import { printable } from '../print.js';

export function addCheck(program: Command, settings: CliSettings): void {
  withSharedOptions(program.command('check <file>'), settings)
    .description('type-check a TypeScript program against tools, without running it')
    .option('--agent <name>', 'against the tools of this agent')
    .action(action<[string, { agent?: string }]>((context, file, { agent }) => checkProgram(context, file, agent)));
}

/** Prints the issues of a program, and sets the exit code to 1 if there is one. */
export async function checkProgram({ client, output }: CommandContext, file: string, agent?: string): Promise<void> {
  const { ok, issues } = await client.checkCode({ code: await readProgram(file), ...defined({ agent }) });
  if (!ok) process.exitCode = 1;
  if (output.json) return output.value({ ok, issues }, '');
  for (const { line, column, message } of issues) output.line(printable(`${file}:${line}:${column} ${message}`));
  if (ok) output.line('No issues.');
}

/** Throws `invalid_input` if the file cannot be read. */
export async function readProgram(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const hint = 'Name a file with a TypeScript program.';
    throw new HelveError('invalid_input', `${file} cannot be read`, { hint, cause: error });
  }
}
