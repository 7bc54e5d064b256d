import { effects } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { checkCommand } from '../allowed.js';
import { getTarget, listEndpoints } from '../hosts.js';
import { runRemotely } from '../session.js';
import { mostSeconds, sshConfig, sshInput, sshOutput, sshSettings } from '../shapes.js';

const checkMs = 10_000;

/** No wall of ours confines what the command does there, so a person approves each call unless a policy allows it. */
export const runSshCommand = defineTool({
  name: 'run_ssh_command',
  title: 'Run a command over SSH',
  description:
    'Run one command line on a machine that the operator set up, as the user and with the key set up for it. ' +
    'No terminal: programs that ask questions get only stdin. Never sent twice.',
  searchWords: 'remote server machine host log in execute restart service uptime disk over there deploy',
  inputSchema: sshInput,
  outputSchema: sshOutput,
  configSchema: sshConfig,
  settingsSchema: sshSettings,
  annotations: effects.runs,
  idempotency: { by: 'ask', how: 'A command may do anything, and its machine does not say whether it ran' },
  risk: 'write',
  highRisk: true,
  capabilities: ['run remote command', 'execute program'],
  examples: [
    { input: { host: 'web', command: 'systemctl status nginx' } },
    { input: { host: 'web', command: 'wc -l', stdin: 'one\ntwo\n', timeout: 10 }, note: 'counts what it is given' },
  ],
  timeoutMs: (mostSeconds + 30) * 1_000,
  endpoints: listEndpoints,
  async check({ host, command }, { config, settings, workers }) {
    getTarget(host, settings, config);
    await checkCommand(command, config, { workers, signal: AbortSignal.timeout(checkMs) });
  },
  async execute({ host, command, timeout, stdin = '' }, context) {
    const { config, settings } = context;
    const target = getTarget(host, settings, config);
    await checkCommand(command, config, context);
    const started = performance.now();
    const timeoutMs = Math.ceil(Math.min(timeout, config.timeout_seconds) * 1_000);
    const request = { command, stdin, timeoutMs, outputBytes: config.output_bytes };
    const { exitCode, signal: endedBy, stdout, stderr, timedOut } = await runRemotely(request, target, context);
    const dropped = { stdout_bytes: stdout.dropped(), stderr_bytes: stderr.dropped() };
    return {
      exit_code: exitCode,
      signal: endedBy,
      stdout: stdout.text(),
      stderr: stderr.text(),
      timed_out: timedOut,
      truncated: dropped.stdout_bytes + dropped.stderr_bytes > 0 ? dropped : null,
      duration_ms: Math.round(performance.now() - started),
    };
  },
});
