/**
 * The input of a call, the part of a grant (`tool_config`), and the operator's settings (`toolkits.ssh` in
 * `helve.yaml`).
 */
import { z } from 'zod';
import { hostKeyPattern } from './host-key.js';

export const mostSeconds = 600;

export const sshInput = z.strictObject({
  host: z.string().min(1).max(64).describe('Name of a machine that the operator set up'),
  command: z.string().min(1).max(100_000).describe('Read by the shell of the user there'),
  timeout: z
    .number()
    .positive()
    .max(mostSeconds)
    .default(60)
    .describe('Seconds; the operator may have set a lower limit'),
  stdin: z.string().max(1_000_000).optional().describe('What the command reads'),
});

export const sshOutput = z.strictObject({
  exit_code: z
    .int()
    .nullable()
    .describe('128 and the number of the signal if one ended it; null: it did not say how it ended and may still run'),
  signal: z.string().nullable().describe('The signal that ended it'),
  stdout: z.string(),
  stderr: z.string(),
  timed_out: z.boolean(),
  truncated: z
    .strictObject({ stdout_bytes: z.int(), stderr_bytes: z.int() })
    .nullable()
    .describe('Bytes that were left out at the end, if any'),
  duration_ms: z.int(),
});

export const sshConfig = z.strictObject({
  allowed_hosts: z.array(z.string()).default([]).describe('Names from toolkits.ssh.hosts; none: the tool refuses'),
  allowed_commands: z
    .array(z.string().min(1).max(1_000))
    .max(1_000)
    .optional()
    .describe(
      'Whole command lines; * stands for a part of a word without /, ** for one with it, a last ** for any more words. ' +
        'Absent: whatever the user may do there',
    ),
  blocked_patterns: z
    .array(z.string().min(1).max(1_000))
    .max(100)
    .default([])
    .describe('RE2, over the whole line. It prevents mistakes only: the same command can be written in other words'),
  timeout_seconds: z.number().positive().max(mostSeconds).default(60),
  output_bytes: z.int().min(0).max(10_000_000).default(100_000).describe('Of each of stdout and stderr'),
});

const host = z.strictObject({
  address: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535).default(22),
  user: z.string().min(1).max(256),
  private_key: z.string().min(1).optional().describe('PEM text, preferably through an environment variable'),
  private_key_file: z.string().min(1).optional(),
  passphrase: z.string().min(1).optional(),
  host_key: z
    .string()
    .regex(hostKeyPattern, 'must be "ssh-ed25519 AAAA…" as in known_hosts, or "SHA256:…"')
    .describe('"ssh-ed25519 AAAA…" as in known_hosts, or "SHA256:…"'),
  description: z.string().max(200).optional().describe('Told to agents that ask for a machine they may not use'),
});

export const sshSettings = z.strictObject({
  hosts: z.record(z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/), host).default({}),
});

export type SshConfig = z.infer<typeof sshConfig>;
export type SshSettings = z.infer<typeof sshSettings>;
export type SshHost = z.infer<typeof host>;
