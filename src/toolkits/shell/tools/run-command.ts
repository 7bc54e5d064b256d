import { constants } from 'node:os';
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { CommandResult } from '../../../domain/reach.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { splitWords } from '../split-words.js';

const mostSeconds = 600;

/** The wall (`src/walls/commands`), not this file, decides where a command runs and what it can reach. */
export const runCommand = defineTool({
  name: 'run_command',
  title: 'Run a command',
  description:
    'Run one program that the operator allows, in a sandbox. No shell: no pipes, redirections, variables or patterns. ' +
    'It starts in /work, an empty folder that is new for each call and gone afterwards: give data as stdin or files, take results from stdout. ' +
    'For those who work on an issue, /work is the folder of the issue: it is kept, and the tools for files use it too.',
  searchWords: 'execute program terminal shell bash command line run script build compile test git',
  inputSchema: z.strictObject({
    command: z.string().min(1).max(100_000).optional().describe('Program and arguments; quotes as in a shell'),
    argv: z
      .array(z.string())
      .min(1)
      .max(1_024)
      .optional()
      .describe('Instead of command: program and arguments as they are'),
    timeout: z
      .number()
      .positive()
      .max(mostSeconds)
      .default(30)
      .describe('Seconds; the operator may have set a lower limit'),
    cwd: z
      .string()
      .max(4_096)
      .optional()
      .describe('Where to start: a folder below /work, or in one the operator shows'),
    stdin: z.string().max(1_000_000).optional().describe('What the program reads'),
    files: z
      .record(z.string(), z.string().max(1_000_000))
      .optional()
      .describe('Text files to put into /work first, by relative path'),
  }),
  outputSchema: z.strictObject({
    exit_code: z.int().describe('128 and the number of the signal if one ended it'),
    stdout: z.string(),
    stderr: z.string(),
    timed_out: z.boolean(),
    signal: z.string().nullable().describe('The signal that ended it'),
    stopped_by: z
      .enum(['time', 'memory', 'cpu', 'processes', 'files', 'disk', 'output'])
      .nullable()
      .describe('The limit that stopped it'),
    truncated: z
      .strictObject({ stdout_bytes: z.int(), stderr_bytes: z.int() })
      .nullable()
      .describe('Bytes that were left out at the end, if any'),
    duration_ms: z.int(),
  }),
  configSchema: z.strictObject({
    allowed_commands: z
      .array(z.string().regex(/^(?!\.{1,2}$)[^/\0]+$/))
      .default([])
      .describe('Names of programs; none: the tool refuses'),
    blocked_patterns: z.array(z.string().min(1).max(1_000)).max(100).default([]).describe('RE2, over the whole line'),
    timeout_seconds: z.number().positive().max(mostSeconds).default(30),
    cpu_seconds: z.int().positive().max(mostSeconds).default(30).describe('Of all its processes together'),
    memory_mb: z.int().min(16).max(65_536).default(512).describe('Of all its processes together'),
    output_bytes: z.int().min(0).max(10_000_000).default(100_000).describe('Of each of stdout and stderr'),
    disk_mb: z
      .int()
      .min(1)
      .max(4_096)
      .default(64)
      .describe('Of each of /work and /tmp, which are held in memory; of all that the folder of an issue holds'),
    processes: z.int().min(1).max(1_024).default(64).describe('With their threads'),
    network: z
      .boolean()
      .default(false)
      .describe('The network of the machine, past the egress wall, internal addresses included'),
    read_paths: z.array(z.string().min(1)).max(32).default([]).describe('Folders that it may read, at the same path'),
  }),
  // The worst case that a configuration allows. Without a network, a command can change nothing that outlives it.
  annotations: effects.runs,
  idempotency: {
    by: 'probe',
    how: 'On an issue the earlier result is found, or the command is reported as cut short; elsewhere nothing outlives it without a network, so it runs again; with a network it is left to a person',
  },
  risk: 'write',
  capabilities: ['run command', 'execute program'],
  examples: [
    { input: { command: 'ls -la' } },
    { input: { argv: ['sort', '-n'], stdin: '10\n9\n' }, note: 'sorts what it is given' },
    { input: { command: 'python script.py --input data.csv', timeout: 60 }, note: 'with both given in files' },
  ],
  timeoutMs: (mostSeconds + 30) * 1_000,
  commands: (config) => ({
    allowedCommands: config.allowed_commands,
    blockedPatterns: config.blocked_patterns,
    timeoutMs: config.timeout_seconds * 1_000,
    cpuSeconds: config.cpu_seconds,
    memoryMb: config.memory_mb,
    outputBytes: config.output_bytes,
    diskMb: config.disk_mb,
    processes: config.processes,
    network: config.network,
    readPaths: config.read_paths,
  }),
  async probe(_, { config, caller, commands, effectKey }) {
    const earlier = caller.issueId === undefined ? 'none' : await commands.findEarlier(effectKey);
    if (typeof earlier === 'object') return describeResult(earlier);
    if (config.network && (earlier === 'begun' || caller.issueId === undefined))
      throw new HelveError('outcome_unknown', 'The command may have reached other machines over the network');
    return earlier === 'begun' ? describeResult(cutShort) : undefined;
  },
  async execute({ command, argv, timeout, cwd, stdin, files = {} }, { commands, effectKey }) {
    if ((command === undefined) === (argv === undefined)) {
      throw new HelveError('invalid_input', 'Give either command or argv', { hint: 'command is one line of text.' });
    }
    const result = await commands.run({
      argv: argv ?? splitWords(command ?? ''),
      timeoutMs: timeout * 1_000,
      files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
      key: effectKey,
      ...defined({ cwd, stdin }),
    });
    return describeResult(result);
  },
});

/**
 * A caller who works in the folder can see there how far the command got; running it again could repeat its effects.
 */
const cutShort: CommandResult = {
  exitCode: null,
  signal: 'SIGKILL',
  stdout: '',
  stderr:
    'Helve ended while this command ran. The command was ended too, or its output was lost. It has not been run again: ' +
    'look at /work to see what it did before you go on.',
  droppedStdout: 0,
  droppedStderr: 0,
  timedOut: false,
  stoppedBy: null,
  durationMs: 0,
};

function describeResult(result: CommandResult) {
  const { droppedStdout, droppedStderr } = result;
  return {
    exit_code: result.exitCode ?? 128 + (constants.signals[result.signal as NodeJS.Signals] ?? 0),
    stdout: result.stdout,
    stderr: result.stderr,
    timed_out: result.timedOut,
    signal: result.signal,
    stopped_by: result.stoppedBy,
    truncated: droppedStdout + droppedStderr > 0 ? { stdout_bytes: droppedStdout, stderr_bytes: droppedStderr } : null,
    duration_ms: result.durationMs,
  };
}
