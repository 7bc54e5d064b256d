/** Shared by all commands: common options, the client, and the one function that turns errors into exit codes. */
import type { Command } from 'commander';
import { createClient, type HelveClient } from '../../api/client.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { wasSent } from '../../util/was-sent.js';
import { getExitCode } from './exit-codes.js';
import { findFileProblem } from './file-problem.js';
import { readLocalAccess } from './local-access.js';
import { createOutput, errorText, type Output } from './print.js';

/** The settings of the process, which `main.ts` reads once. */
export interface CliSettings {
  readonly dataDir: string;
}

export interface CommandContext {
  readonly client: HelveClient;
  /** The server's address. */
  readonly url: string;
  readonly output: Output;
}

interface SharedOptions {
  readonly json?: boolean;
  readonly data?: string;
  readonly url?: string;
  readonly token?: string;
}

export function withSharedOptions(command: Command, settings: CliSettings): Command {
  return command
    .option('--json', 'print JSON for programs')
    .option('--data <folder>', 'data folder of the server', settings.dataDir)
    .option('--url <url>', 'address of another server (with --token)')
    .option('--token <token>', 'API key or agent token for it');
}

/** Runs a command's work; an error that it throws is printed and becomes the exit code. */
export function action<Arguments extends unknown[]>(
  work: (context: CommandContext, ...rest: Arguments) => Promise<void>,
): (this: Command, ...given: unknown[]) => Promise<void> {
  return async function (this: Command, ...given: unknown[]) {
    const options = this.opts<SharedOptions>();
    const positional = given.slice(0, this.registeredArguments.length);
    const output = createOutput(options.json ?? false);
    try {
      await work({ ...connect(options), output }, ...([...positional, options] as unknown as Arguments));
    } catch (error) {
      fail(asTyped(error, this), output);
    }
  };
}

/**
 * The server names a place in the request, which a person has not written, and its hint about a request that it cannot read is for
 * programs: a person is told which field it is, and is sent to the help of the command.
 */
export function asTyped(error: unknown, command: Command): unknown {
  if (!(error instanceof HelveError) || error.code !== 'invalid_input') return error;
  const { code, message, hint, details } = error;
  const issues = details?.in === undefined ? undefined : details.issues;
  if (!Array.isArray(issues)) {
    // A command changes one policy or choice of tools, and these are what its other words name.
    const plain = message.replace(/^(?:add|remove|policies)\/\d+(?:\/[a-z]+)*(?:\/\d+)?: ./, (start) =>
      start.slice(-1).toUpperCase(),
    );
    return plain === message ? error : new HelveError(code, plain, { ...defined({ hint, details }), cause: error });
  }
  const path: string[] = [];
  for (let one: Command | null = command; one !== null; one = one.parent) path.unshift(one.name());
  const told = (issues as { path: string; message: string }[]).map(({ path: at, message: what }) =>
    at === '/' ? what : `${at.slice(1)}: ${what}`,
  );
  return new HelveError(code, told.join('; '), {
    hint: `For help: ${path.join(' ')} --help`,
    ...defined({ details }),
    cause: error,
  });
}

/** Prints an error of any command last, on standard error, in one form, and sets the exit code by its kind. */
export function fail(error: unknown, output: Pick<Output, 'json'>): void {
  const problem = explain(error);
  if (output.json) process.stderr.write(`${JSON.stringify({ error: problem.toJSON() })}\n`);
  else process.stderr.write(`${errorText(problem)}\n`);
  process.exitCode = getExitCode(problem.code);
}

/** Returns any error as a person at the command line is told of it. */
export function explain(error: unknown): HelveError {
  return toHelveError(unreachable(error) ?? signedOut(error) ?? findFileProblem(error) ?? error);
}

function connect({ url, token, data }: SharedOptions): Pick<CommandContext, 'client' | 'url'> {
  if (url !== undefined) return { url, client: createClient({ url, ...defined({ token }) }) };
  const local = readLocalAccess(data ?? '.');
  return { url: local.url, client: createClient({ url: local.url, token: token ?? local.key }) };
}

/** The server's hint names a header, which a person at the command line does not write. */
function signedOut(error: unknown): HelveError | undefined {
  if (!(error instanceof HelveError) || error.code !== 'unauthenticated') return undefined;
  return new HelveError(error.code, error.message, {
    hint: 'With --url, add a valid API key or agent token of that server: --token helve_…. Without it, start helve serve again, which makes a new key.',
    cause: error,
  });
}

/** Hints for a person at the command line if the client got no answer. */
function unreachable(error: unknown): HelveError | undefined {
  if (!(error instanceof HelveError) || !(error.cause instanceof TypeError)) return undefined;
  if (error.code === 'outcome_unknown' || wasSent(error.cause))
    return new HelveError('outcome_unknown', 'The connection to Helve was lost before it answered', {
      hint: 'If the command changes something, check whether it did before you repeat it: `helve audit` shows what was done.',
      cause: error,
    });
  return new HelveError('upstream_failed', 'Helve does not respond', {
    hint: 'Is it running? Start it with `helve serve` (in the repository: `npm start`).',
    cause: error,
  });
}
