/**
 * Secrets in arguments, results and errors do not reach the store's files, at any position, and the hash
 * beside them still proves which arguments they were.
 *
 * Out of scope, as the last test says: a value that only insiders recognise as secret (a bare password in free text
 * under a harmless name), and secrets that were encoded (base64, hex, reversed).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../../src/testing/index.js';
import { canonicalJson } from '../../src/util/canonical.js';
import { removeTemporaryFolders, temporaryFolder } from './support/server.js';

let dataDir: string;
let helve: TestHelve;

beforeAll(async () => {
  dataDir = await temporaryFolder('redaction');
  const tools = [
    testTool({ name: 'echo' }),
    testTool({ name: 'quiet', execute: async () => 'done' }),
    testTool({ name: 'guarded', highRisk: true }),
    testTool({
      name: 'break',
      execute: (input) => Promise.reject(new Error(`could not use ${JSON.stringify(input, shallow)}`)),
    }),
    testTool({
      name: 'declared',
      inputSchema: {
        type: 'object',
        properties: { phrase: { type: 'string', format: 'password' }, word: { type: 'string', writeOnly: true } },
      },
      execute: async () => null,
    }),
  ];
  helve = await createTestHelve({ dataDir, tools });
});
afterAll(async () => {
  await helve.close();
  await removeTemporaryFolders();
});

/** Everything that is on disk, including the journal. */
function onDisk(): string {
  return readdirSync(dataDir)
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
    .join('\n');
}

/** In a text, only a value directly beside its name can be recognised by it. */
const shallow = (key: string, value: unknown) => (key === 'nested' ? undefined : value);

let drawn = 0;
/** Letters and digits that occur nowhere else. */
function random(length: number): string {
  drawn += 1;
  return createHash('sha512').update(`secret ${drawn}`).digest('base64url').replace(/[-_]/g, 'x').slice(0, length);
}

const pem = (kind: string) => {
  const body = [random(64), random(64), random(60)];
  return { text: `-----BEGIN ${kind}-----\n${body.join('\n')}\n-----END ${kind}-----`, secrets: body };
};
const plain =
  (prefix: string, length: number, suffix = '') =>
  () => {
    const secret = random(length);
    return { text: `${prefix}${secret}${suffix}`, secrets: [secret] };
  };

/** Secret at any position. */
const shapes: Record<string, () => { text: string; secrets: string[] }> = {
  'an agent token of ours': plain('helve_agent_', 43),
  'an API key of ours': plain('helve_key_', 43),
  'an admin link of ours': plain('http://127.0.0.1/admin/login?token=helve_link_', 43),
  'a session of ours': plain('helve_session_', 43),
  'a bearer header': plain('Authorization: Bearer ', 40),
  'a basic header': plain('Authorization: Basic ', 40, '=='),
  'a JSON Web Token': () => {
    const parts = [random(40), random(60), random(43)];
    return { text: `eyJ${parts[0]}.eyJ${parts[1]}.${parts[2]}`, secrets: parts };
  },
  'a PEM key': () => pem('PRIVATE KEY'),
  'an RSA key': () => pem('RSA PRIVATE KEY'),
  'an OpenSSH key': () => pem('OPENSSH PRIVATE KEY'),
  'an AWS access key id': () => {
    const secret = random(16).toUpperCase();
    return { text: `AKIA${secret}`, secrets: [secret] };
  },
  'a temporary AWS key id': () => {
    const secret = random(16).toUpperCase();
    return { text: `ASIA${secret}`, secrets: [secret] };
  },
  'a GitHub token': plain('ghp_', 36),
  'a fine-grained GitHub token': plain('github_pat_', 60),
  'a Slack token': plain('xoxb-123456789012-', 24),
  'a Stripe key': plain('sk_live_', 24),
  'an OpenAI key': plain('sk-proj-', 48),
  'a Google key': plain('AIza', 35),
  'a Google OAuth token': plain('ya29.', 60),
  'a password in an address': plain('postgres://helve:', 24, '@db.example.com:5432/helve'),
  'a secret in a query string': plain('https://api.example.com/v1?user=1&api_key=', 32, '&page=2'),
};

/** Secret because of their name. */
const names = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'api_key',
  'apiKey',
  'API-Key',
  'access_token',
  'accessToken',
  'refresh_token',
  'client_secret',
  'clientSecret',
  'authorization',
  'Authorization',
  'Cookie',
  'set-cookie',
  'x-api-key',
  'private_key',
  'aws_secret_access_key',
  'session_id',
  'db_password',
  'otp',
  'pin',
  'card_number',
  'cvv',
];

const places: Record<string, (value: string) => Record<string, unknown>> = {
  'on its own': (text) => ({ note: text }),
  'deep inside': (text) => ({ list: [{ deeper: { still: [[text]] } }] }),
  'in a longer text': (text) => ({ note: `Use it like so: "${text}", and then go on.` }),
  'as a key': (text) => ({ [text]: 1 }),
  'in JSON in a text': (text) => ({ body: JSON.stringify({ value: text }) }),
};

/** Calls that leave it in arguments, results, errors, refusals and approvals. */
async function useEverywhere(input: Record<string, unknown>): Promise<string> {
  const quiet = await helve.call('quiet', input);
  for (const tool of ['echo', 'break', 'guarded', 'nothing']) await helve.call(tool, input);
  await helve.call('calculate', input);
  return quiet.executionId;
}

describe('what is secret by its shape', () => {
  test.each(Object.keys(shapes))('R-audit: %s is not in the files, at any position', async (name) => {
    for (const place of Object.keys(places)) {
      const { text, secrets } = (shapes[name] as (typeof shapes)[string])();
      const input = (places[place] as (typeof places)[string])(text);
      const executionId = await useEverywhere(input);
      const disk = onDisk();
      for (const secret of secrets) expect(disk.includes(secret), `${place}: ${secret}`).toBe(false);
      const started = (await helve.audited()).find((row) => row.executionId === executionId);
      expect(started?.body.inputHash).toBe(createHash('sha256').update(canonicalJson(input)).digest('hex'));
      expect(JSON.stringify(started?.body.input)).toContain('[redacted]');
    }
  });
});

describe('what is secret by its name', () => {
  test.each(names)('R-audit: the value of %s is not in the files', async (name) => {
    const [one, two, three] = [random(20), random(20), random(20)];
    await useEverywhere({
      [name]: one,
      headers: { [name]: two },
      list: [{ [name]: { nested: [three] } }],
      kept: 'harmless',
    });
    const disk = onDisk();
    for (const secret of [one, two, three]) expect(disk.includes(secret), name).toBe(false);
    expect(disk.includes('harmless')).toBe(true);
  });

  test('R-audit: what a schema declares secret is', async () => {
    const [one, two] = [random(20), random(20)];
    await helve.call('declared', { phrase: one, word: two, other: 'stays in sight' });
    const disk = onDisk();
    expect([disk.includes(one), disk.includes(two), disk.includes('stays in sight')]).toEqual([false, false, true]);
  });
});

test('R-audit: names and texts that only resemble secrets stay readable', async () => {
  const input = {
    tokens: 12,
    max_tokens: 40,
    author: 'Ada',
    passage: 'a bear, a token of thanks',
    pinned: true,
    secretary: 'Bo',
  };
  const { executionId } = await helve.call('quiet', input);
  const started = (await helve.audited()).find((row) => row.executionId === executionId);
  expect(started?.body.input).toEqual(input);
});

test('R-audit: out of scope: secrets that only insiders recognise, and encoded ones, are stored like any text', async () => {
  const [bare, inside] = [random(20), random(43)];
  const encoded = Buffer.from(`helve_key_${inside}`).toString('base64');
  await helve.call('quiet', { note: bare, blob: encoded });
  const disk = onDisk();
  expect([disk.includes(bare), disk.includes(encoded)]).toEqual([true, true]);
});
