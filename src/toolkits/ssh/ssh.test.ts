/** `run_ssh_command` through the whole pipeline and a real MCP client, against a real sshd. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { atEnd, bearer, endAll, openRealDoor } from '../../../tests/mcp/real-door.js';
import { fingerprint, makeKey, missing, ordinaryUser, type Sshd, startSshd } from '../../../tests/ssh/counterpart.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';

let sshd: Sshd;
beforeAll(async () => {
  if (missing === undefined) sshd = await startSshd();
});
afterAll(() => sshd?.close());
afterEach(endAll);

const policies: TestHelveOptions['policies'] = [{ id: 'ssh', effect: 'allow', when: { toolkits: ['ssh'] } }];

interface Setting {
  readonly host?: Record<string, unknown>;
  readonly config?: Record<string, unknown>;
  readonly without?: string;
  /** Other hosts beside these. */
  readonly hosts?: Record<string, unknown>;
  readonly policies?: TestHelveOptions['policies'];
}

const hostOf = ({ port, user, key, hostKeys }: Sshd) => ({
  address: '127.0.0.1',
  port,
  user,
  private_key_file: key,
  host_key: hostKeys.ed25519.line,
});

function optionsOf({
  host = {},
  config = {},
  without = '',
  hosts: others = {},
  ...more
}: Setting = {}): TestHelveOptions {
  const web: Record<string, unknown> = { ...hostOf(sshd), ...host };
  delete web[without];
  const hosts = { web, secret: { ...web, description: 'not for everybody' }, ...others };
  const run_ssh_command = { allowed_hosts: ['web'], ...config };
  return {
    granted: ['run_ssh_command'],
    policies,
    // JSON is YAML.
    config: JSON.stringify({ toolkits: { ssh: { hosts } } }),
    toolConfig: { run_ssh_command } as NonNullable<TestHelveOptions['toolConfig']>,
    ...more,
  };
}

async function helveWith(setting: Setting = {}): Promise<TestHelve> {
  const helve = await createTestHelve(optionsOf(setting));
  atEnd(() => helve.close());
  return helve;
}

async function outcome(setting: Setting, input: Record<string, unknown>) {
  const result = await (await helveWith(setting)).call('run_ssh_command', { host: 'web', ...input });
  return result.ok ? { output: result.output as Record<string, unknown> } : { error: result.error };
}

/** Nobody writes to the file any more. */
async function stillness(path: string): Promise<void> {
  const { length } = readFileSync(path);
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(readFileSync(path).length).toBe(length);
}

/** A port on the way to another one, where each answer takes a third of a second longer. */
async function startSlowWay(port: number): Promise<number> {
  const way = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far);
    far.on('data', (chunk) => setTimeout(() => near.write(chunk), 300));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise<void>((resolve) => way.close(() => resolve())));
  return (way.address() as AddressInfo).port;
}

const inFolder = (name: string): string => join(sshd.folder, name);

describe.skipIf(missing)(`runs${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('R-ssh: a command line, its input, both its outputs and its exit code', async () => {
    const helve = await helveWith();
    const { output } = (await helve.call('run_ssh_command', {
      host: 'web',
      command: 'wc -l; echo "$((6 * 7)) ä" >&2; exit 3',
      stdin: 'one\ntwo\n',
    })) as { output: Record<string, unknown> };
    const { duration_ms, ...rest } = output;
    expect(rest).toEqual({
      exit_code: 3,
      signal: null,
      stdout: '2\n',
      stderr: '42 ä\n',
      timed_out: false,
      truncated: null,
    });
    expect(duration_ms).toBeGreaterThan(0);
    expect(
      await helve.call('run_ssh_command', { host: 'web', command: 'cat; tty; echo "$SSH_TTY$SSH_AUTH_SOCK"' }),
    ).toMatchObject({
      ok: true,
      output: { exit_code: 0, stdout: 'not a tty\n\n' },
    });
    expect(await helve.call('run_ssh_command', { host: 'web', command: 'kill -TERM $$' })).toMatchObject({
      ok: true,
      output: { exit_code: 143, signal: 'SIGTERM' },
    });
  });

  test('R-ssh: a megabyte in and much more out, cut and counted', async () => {
    const stdin = '0123456789\n'.repeat(90_000);
    expect(await outcome({ config: { output_bytes: 2_000_000 } }, { command: 'cat', stdin })).toMatchObject({
      output: { stdout: stdin, truncated: null },
    });
    const bytes = 20_000_000;
    const { output } = await outcome(
      { config: { output_bytes: 7 } },
      { command: `head -c ${bytes} /dev/zero | tr '\\0' ä >&2; echo done` },
    );
    expect(output).toMatchObject({ stdout: 'done\n', truncated: { stdout_bytes: 0, stderr_bytes: bytes - 7 } });
  });

  test.each([
    ['an Ed25519 key', 'ed25519', '', []],
    ['an Ed25519 key with a passphrase', 'ed25519', 'geheim', []],
    ['an ECDSA key with a passphrase', 'ecdsa', 'geheim', []],
    ['an RSA key', 'rsa', '', []],
    ['an RSA key of the old form with a passphrase', 'rsa', 'geheim', ['-m', 'PEM']],
  ] as const)('R-ssh: %s, as text', async (_what, type, passphrase, more) => {
    const path = inFolder(`${type}-${passphrase}-${more.length}`);
    const private_key = makeKey(path, type, passphrase, more);
    appendFileSync(inFolder('authorized_keys'), readFileSync(`${path}.pub`));
    const host = { private_key: private_key.replaceAll('\n', '\\n'), ...(passphrase && { passphrase }) };
    expect(await outcome({ host, without: 'private_key_file' }, { command: 'echo in' })).toMatchObject({
      output: { stdout: 'in\n' },
    });
  });

  test('R-ssh: host keys of every type, as a line or as a fingerprint', async () => {
    for (const { line, fingerprint } of Object.values(sshd.hostKeys)) {
      const bare = line.split(' ').slice(0, 2).join(' ');
      expect(await outcome({ host: { host_key: bare } }, { command: 'echo in' }), line).toMatchObject({
        output: { stdout: 'in\n' },
      });
      expect(fingerprint).toMatch(/^SHA256:/);
    }
    // Without a type the machine shows the one that it and we like best.
    expect(
      await outcome({ host: { host_key: sshd.hostKeys.ed25519.fingerprint } }, { command: 'echo in' }),
    ).toMatchObject({ output: { stdout: 'in\n' } });
  });

  test('R-ssh: a real MCP client', async () => {
    const { alice } = await openRealDoor(optionsOf());
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(alice.address), { requestInit: { headers: bearer(alice) } }),
    );
    atEnd(() => client.close());
    const ok = await client.callTool({ name: 'run_ssh_command', arguments: { host: 'web', command: 'echo hello' } });
    expect(ok).toMatchObject({ structuredContent: { exit_code: 0, stdout: 'hello\n' } });
    const refused = await client.callTool({ name: 'run_ssh_command', arguments: { host: 'db', command: 'id' } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('web');
  });
});

describe.skipIf(missing)('ends', () => {
  const nobody = ordinaryUser === undefined ? ' (skipped: there is no user but root to log in as)' : '';

  test.skipIf(nobody)(
    `R-ssh: at the caller’s or the operator’s time, with what it had written, and what ran there too${nobody}`,
    async () => {
      const other = await startSshd(ordinaryUser);
      atEnd(other.close);
      const alive = join(other.folder, 'alive');
      const command = `echo begun; (while :; do echo >> ${alive}; sleep 0.05; done) & sleep 60`;
      for (const [config, timeout] of [
        [{}, 0.8],
        [{ timeout_seconds: 0.8 }, 60],
      ] as const) {
        const { output } = await outcome({ config, host: hostOf(other) }, { command, timeout });
        expect(output).toMatchObject({ timed_out: true, stdout: 'begun\n', exit_code: 137, signal: 'SIGKILL' });
        expect(output?.duration_ms).toBeLessThan(3_000);
        await stillness(alive);
      }
    },
  );

  test.skipIf(nobody)(`R-ssh: when the caller cancels${nobody}`, async () => {
    const other = await startSshd(ordinaryUser);
    atEnd(other.close);
    const alive = join(other.folder, 'alive');
    const helve = await helveWith({ host: hostOf(other) });
    const cancel = new AbortController();
    const call = helve.call(
      'run_ssh_command',
      { host: 'web', command: `while :; do echo >> ${alive}; sleep 0.05; done` },
      { signal: cancel.signal },
    );
    await vi.waitFor(() => expect(existsSync(alive)).toBe(true), { timeout: 10_000 });
    cancel.abort();
    expect(await call).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
    await vi.waitFor(() => stillness(alive), { timeout: 20_000 });
  });

  test.skipIf(nobody)(
    `R-ssh: when the caller cancels before the machine has said that the command runs${nobody}`,
    async () => {
      const other = await startSshd(ordinaryUser);
      atEnd(other.close);
      const alive = join(other.folder, 'alive');
      const helve = await helveWith({ host: { ...hostOf(other), port: await startSlowWay(other.port) } });
      const cancel = new AbortController();
      const call = helve.call(
        'run_ssh_command',
        { host: 'web', command: `while :; do echo >> ${alive}; sleep 0.05; done` },
        { signal: cancel.signal },
      );
      await vi.waitFor(() => expect(existsSync(alive)).toBe(true), { timeout: 20_000, interval: 5 });
      cancel.abort();
      expect(await call).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
      await vi.waitFor(() => stillness(alive), { timeout: 20_000 });
    },
  );

  test('R-ssh: in time also where the machine passes no signal on, and then says that it may still run', async () => {
    // sshd refuses them to root, and to a key that has its command.
    const path = inFolder('forced');
    makeKey(path, 'ed25519');
    const line = readFileSync(`${path}.pub`, 'utf8');
    appendFileSync(inFolder('authorized_keys'), `command="echo forced; sleep 3" ${line}`);
    const { output } = await outcome({ host: { private_key_file: path } }, { command: 'id', timeout: 0.5 });
    expect(output).toMatchObject({ timed_out: true, stdout: 'forced\n', exit_code: null, signal: null });
    expect(output?.duration_ms).toBeLessThan(2_900);
  });

  test('R-ssh: a connection lost in the middle is an unknown outcome, and nothing is sent again', async () => {
    const ran = inFolder('ran');
    const helve = await helveWith();
    const call = helve.call('run_ssh_command', { host: 'web', command: `echo once >> ${ran}; sleep 60` });
    await vi.waitFor(() => expect(existsSync(ran)).toBe(true), { timeout: 10_000 });
    sshd.dropConnections();
    expect(await call).toMatchObject({ ok: false, error: { code: 'outcome_unknown', retryable: false } });
    expect(readFileSync(ran, 'utf8')).toBe('once\n');
  });

  test('R-ssh: a machine that never says hello takes only the time of the call, and one that is not there none', async () => {
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const slow = await outcome({ host: { port } }, { command: 'id', timeout: 0.5 });
    expect(slow.error).toMatchObject({ code: 'timeout', message: expect.stringContaining('nothing was run') });
    await new Promise((resolve) => silent.close(resolve));
    // Not the port that was just let go: on a busy machine somebody else has it by now.
    expect(await outcome({ host: { port: 1 } }, { command: 'id' })).toMatchObject({
      error: { code: 'upstream_failed' },
    });
  });

  test('R-ssh: a machine that speaks something else', async () => {
    const other = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    expect(await outcome({ host: { port } }, { command: 'id' })).toMatchObject({
      error: { code: 'upstream_failed', message: expect.stringContaining('nothing was run') },
    });
    other.close();
  });
});

describe.skipIf(missing)('refuses', () => {
  test('R-ssh: every call that no person and no policy has allowed', async () => {
    const { error } = await outcome({ policies: [] }, { command: 'id' });
    expect(error).toMatchObject({ code: 'approval_required' });
  });

  test('R-ssh: machines that the grant does not name, whether they exist or not', async () => {
    const [there, nowhere] = [
      await outcome({}, { host: 'secret', command: 'id' }),
      await outcome({}, { host: 'nowhere', command: 'id' }),
    ];
    expect(there.error).toMatchObject({ code: 'forbidden', hint: 'Use one of: web.' });
    expect(JSON.stringify(there).replaceAll('secret', 'nowhere')).toBe(JSON.stringify(nowhere));
    expect((await outcome({ config: { allowed_hosts: [] } }, { command: 'id' })).error).toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('allowed_hosts'),
    });
    expect((await outcome({ config: { allowed_hosts: ['db'] } }, { host: 'db', command: 'id' })).error).toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('toolkits.ssh.hosts.db'),
    });
    expect((await outcome({}, { host: '__proto__', command: 'id' })).error).toMatchObject({ code: 'forbidden' });
  });

  test('R-ssh: a machine with another key, in both forms, before anything is sent', async () => {
    makeKey(inFolder('other'), 'ed25519');
    const line = readFileSync(inFolder('other.pub'), 'utf8').trim();
    const expected = fingerprint(inFolder('other.pub'));
    for (const host_key of [line, expected]) {
      const before = sshd.log().length;
      const { error } = await outcome({ host: { host_key } }, { command: 'id' });
      expect(error).toMatchObject({
        code: 'egress_blocked',
        message: expect.stringContaining(sshd.hostKeys.ed25519.fingerprint),
        details: { expected, got: sshd.hostKeys.ed25519.fingerprint },
      });
      expect(error?.message).toContain(expected);
      // It has heard nothing of a user.
      await vi.waitFor(() => expect(sshd.log().slice(before)).toContain('Connection'), { timeout: 20_000 });
      expect(sshd.log().slice(before)).not.toMatch(/userauth|user root|SSH2_MSG_NEWKEYS received/);
    }
  });

  test('R-ssh: a host without a pinned key, or with half of one', async () => {
    await expect(helveWith({ without: 'host_key' })).rejects.toMatchObject({ code: 'invalid_config' });
    await expect(helveWith({ host: { host_key: 'SHA256:abc' } })).rejects.toMatchObject({ code: 'invalid_config' });
    const { error } = await outcome({ host: { host_key: sshd.hostKeys.ed25519.line.slice(0, 60) } }, { command: 'id' });
    expect(error).toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('toolkits.ssh.hosts.web.host_key'),
    });
  });

  test('R-ssh: a key that the machine does not know', async () => {
    makeKey(inFolder('stranger'), 'ed25519');
    const { error } = await outcome({ host: { private_key_file: inFolder('stranger') } }, { command: 'id' });
    expect(error).toMatchObject({ code: 'invalid_config', hint: expect.stringContaining('toolkits.ssh.hosts.web') });
    expect((await outcome({ host: { user: 'nobody-here' } }, { command: 'id' })).error).toMatchObject({
      code: 'invalid_config',
    });
  });

  test('R-ssh: keys that cannot be used, without a word of their text', async () => {
    const marker = 'c2VjcmV0LWtleS10ZXh0';
    const locked = makeKey(inFolder('locked'), 'ed25519', 'geheim');
    writeFileSync(
      inFolder('broken'),
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${marker}\n-----END OPENSSH PRIVATE KEY-----\n`,
    );
    const { private_key_file, ...keyless } = hostOf(sshd);
    const cases: [string, Record<string, unknown>][] = [
      ['private_key', { ...keyless, private_key: marker }],
      ['private_key', { ...keyless, private_key: readFileSync(`${sshd.key}.pub`, 'utf8') }],
      ['private_key', keyless],
      ['private_key', { ...keyless, private_key_file, private_key: marker }],
      ['private_key_file', { ...keyless, private_key_file: inFolder('broken') }],
      ['private_key_file', { ...keyless, private_key_file: inFolder('absent') }],
      ['private_key_file', { ...keyless, private_key_file: sshd.folder }],
      ['passphrase', { ...keyless, private_key: locked }],
      ['private_key', { ...keyless, private_key: locked, passphrase: marker }],
    ];
    const hosts = Object.fromEntries(cases.map(([, host], at) => [`web-${at}`, host]));
    const helve = await helveWith({ hosts, config: { allowed_hosts: Object.keys(hosts) } });
    for (const [at, [key]] of cases.entries()) {
      const before = (await helve.audited()).length;
      const result = await helve.call('run_ssh_command', { host: `web-${at}`, command: 'id' });
      const seen = JSON.stringify([result, (await helve.audited()).slice(before)]);
      expect(result, key).toMatchObject({ ok: false, error: { code: 'invalid_config' } });
      expect(seen).toContain(`toolkits.ssh.hosts.web-${at}.${key}`);
      expect(seen).not.toContain(marker);
      expect(seen).not.toContain(locked.slice(60, 100));
    }
  });

  test('R-ssh: the record holds nothing of the key', async () => {
    const private_key = readFileSync(sshd.key, 'utf8');
    const helve = await helveWith({ host: { private_key }, without: 'private_key_file' });
    // The other machine prints the key, so that it is in what the tool answers.
    const result = await helve.call('run_ssh_command', { host: 'web', command: `cat '${sshd.key}'` });
    const [, line = ''] = private_key.split('\n');
    expect([result.ok, JSON.stringify(result).includes(line)]).toEqual([true, true]);
    const record = JSON.stringify(await helve.audited());
    expect(record).toContain(`cat '${sshd.key}'`);
    for (const line of private_key.split('\n').filter((each) => each.length > 8)) expect(record).not.toContain(line);
  });

  test('R-ssh: blocked patterns, invalid patterns, and empty commands', async () => {
    const config = { blocked_patterns: ['rm\\s+-rf'] };
    expect((await outcome({ config }, { command: 'cd / && rm  -rf x' })).error).toMatchObject({ code: 'forbidden' });
    expect((await outcome({ config: { blocked_patterns: ['('] } }, { command: 'id' })).error).toMatchObject({
      code: 'invalid_config',
      hint: expect.stringContaining('blocked_patterns'),
    });
    for (const command of [' ', 'id\0']) {
      expect((await outcome({}, { command })).error).toMatchObject({ code: 'invalid_input' });
    }
  });
});
