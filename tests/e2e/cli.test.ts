/** The command line against a real server: output for people and for programs, exit codes and errors. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let server: Server;

beforeAll(async () => {
  dataDir = await temporaryFolder('cli');
  await writeFile(join(dataDir, 'helve.yaml'), 'limits: { per_ip: null }\n');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

/** The key that the server leaves for the command line. */
const adminKey = async (): Promise<string> => JSON.parse(await readFile(join(dataDir, 'cli.json'), 'utf8')).key;

const helve = (...args: string[]) => run([...args, '--data', dataDir]);

/** The output for a person; the command must have succeeded without any other output. */
async function said(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await helve(...args);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function json(...args: string[]): Promise<any> {
  return JSON.parse(await said(...args, '--json'));
}

/** The same refusal for people and for programs. */
async function refused(code: string, hint: RegExp, ...args: string[]): Promise<void> {
  const [people, programs] = await Promise.all([helve(...args), helve(...args, '--json')]);
  const exit = { invalid_input: 2, forbidden: 3, unauthenticated: 3, not_found: 5, upstream_failed: 6 }[code];
  expect([people.code, programs.code, people.stdout, programs.stdout]).toEqual([exit, exit, '', '']);
  expect(people.stderr).toMatch(new RegExp(`^error: .+ \\(${code}\\)\nhint: {2}`));
  expect(people.stderr).toMatch(hint);
  expect(people.stderr).not.toMatch(/\n\s+at /);
  expect(JSON.parse(programs.stderr).error).toMatchObject({ code, hint: expect.stringMatching(hint) });
}

describe('agents and grants', () => {
  test('R-cli: agents are created, listed and given working tokens', async () => {
    expect(await said('agents', 'create', 'scout', '--name', 'The Scout')).toContain(
      'Created the agent scout. Next: helve grant scout',
    );
    expect(await said('agents')).toMatch(/^SLUG\s+NAME\s+MANAGED BY\s+CREATED AT\n[\s\S]*scout\s+The Scout\s+api/);
    const agents = await json('agents', 'list');
    expect(agents.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['first', 'scout']);
    const token = (await said('agents', 'token', 'scout', '--days', '1')).trim();
    expect(token).toMatch(/^helve_agent_[\w-]{43}$/);
    expect((await ask(server.url, 'GET /api/tools/workspace', token)).body).toEqual({ tools: [] });
    const again = await helve('agents', 'create', 'scout');
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^error: .*scout.* \(conflict\)/)]);
  });

  test('R-typedefs: types prints the declarations of an agent’s tools, and nothing else', async () => {
    await helve('agents', 'create', 'coder');
    await helve('grant', 'coder', 'calculate', 'key_value_get');
    const text = await said('types', '--agent', 'coder');
    expect(text.match(/^declare namespace .*$/gm)).toEqual([
      'declare namespace keyValue {',
      'declare namespace math {',
      'declare namespace results {',
    ]);
    expect(text).toContain('function calculate(input:{');
    expect(await said('types', 'math', '--agent', 'coder', '--index')).toMatch(/^\/\/ Math\nmath\.calculate\(.*\n$/);
    expect((await json('types', 'key_value', '--agent', 'coder')).namespaces).toEqual([
      { name: 'keyValue', toolkit: 'key_value', title: expect.any(String), tools: 1 },
    ]);
    await refused('not_found', /Did you mean math\?/, 'types', 'maths', '--agent', 'coder');
  });

  test('R-typedefs: check finds what is wrong in a program, and runs nothing', async () => {
    await helve('agents', 'create', 'checked');
    await helve('grant', 'checked', 'calculate');
    const [right, wrong] = [join(dataDir, 'right.ts'), join(dataDir, 'wrong.ts')];
    await writeFile(right, "const { result } = await math.calculate({ expression: '6*7' });\nreturn result;\n");
    await writeFile(wrong, "const a = 1;\nreturn await math.calculat({ expression: '6*7' });\n");
    expect(await said('check', right, '--agent', 'checked')).toBe('No issues.\n');
    const { code, stdout, stderr } = await helve('check', wrong, '--agent', 'checked');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: `${wrong}:2:19 math has no tool calculat; did you mean calculate?\n`,
      stderr: '',
    });
    await refused('invalid_input', /TypeScript program/, 'check', join(dataDir, 'absent.ts'));
  });

  test('R-cli: grant and ungrant change what the agent may use, and grants shows it', async () => {
    await helve('agents', 'create', 'worker');
    expect(await said('grant', 'worker', 'calculate', 'key_value_get')).toBe(
      'worker may now use calculate, key_value_get.\n',
    );
    expect(await said('grant', 'worker', 'key_value_set')).toBe(
      'worker may now use calculate, key_value_get, key_value_set.\n',
    );
    expect(await said('grants', 'worker', '--all')).toMatch(
      /^AGENT\s+TOOLKIT\s+TOOL\s+RISK\s+GRANTED\n[\s\S]*worker\s+math\s+calculate\s+read\s+yes[\s\S]*fetch_url\s+write\s+no/,
    );
    expect(await said('ungrant', 'worker', 'key_value_get', 'key_value_set')).toBe('worker may now use calculate.\n');
    const rows = await json('grants', 'worker', '--all');
    const granted = rows
      .filter((row: { granted: string }) => row.granted === 'yes')
      .map((row: { tool: string }) => row.tool);
    expect(granted).toEqual(['calculate', 'result_read']);
    expect((await json('grants', 'worker', '--granted')).map((row: { tool: string }) => row.tool)).toEqual(granted);
    const math = { agent: 'worker', toolkit: 'math', tool: 'calculate', risk: 'read', granted: 'yes' };
    expect(await json('grants', 'worker', '--all', '--toolkit', 'math')).toEqual([math]);
    expect(await json('grants', '--granted', '--toolkit', 'math')).toContainEqual(math);
    const summary = await said('grants', 'worker');
    expect(summary).toMatch(
      /^AGENT\s+TOOLKIT\s+ACCOUNT\s+GRANTED\s+OF\s+TOOLS\nworker\s+math\s+1\s+1\s+calculate\nworker\s+results\s+1\s+1\s+result_read\n/,
    );
    expect(summary).not.toContain('http');
    expect(await said('grants')).toMatch(/^worker +math +1 +1 +calculate$/m);
    expect(await json('grants', '--toolkit', 'math')).toContainEqual({
      agent: 'worker',
      toolkit: 'math',
      granted: 1,
      of: 1,
      tools: ['calculate'],
    });
    expect(await said('tools', '--agent', 'worker')).toMatch(
      /^NAME\s+RISK\s+TOOLKIT\s+DESCRIPTION\ncalculate\s+read\s+math/m,
    );
    expect(await helve('call', 'key_value_get', '{"key":"k"}', '--agent', 'worker')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^error: .* \(not_granted\)\n/),
    });
    expect(await said('call', 'calculate', '{"expression":"6*7"}', '--agent', 'worker')).toContain('42');
    expect(await said('ungrant', 'worker', 'calculate')).toBe('worker may now use nothing.\n');
    expect(await said('grants', 'worker')).toBe('Nothing is granted. What can be granted: helve grants worker --all\n');
  });

  test('R-cli: a grant’s limits and configuration survive a grant of something else', async () => {
    await helve('agents', 'create', 'keeper');
    const key = await adminKey();
    const config = { fetch_url: { allowed_domains: ['api.example.com'] } };
    const body = { grants: [{ toolkit: 'http', tools: ['fetch_url'], config }] };
    expect((await ask(server.url, 'PUT /api/agents/keeper/grants', key, body)).status).toBe(200);
    await said('grant', 'keeper', 'calculate');
    const { grants } = (await ask(server.url, 'GET /api/agents/keeper/grants', key)).body;
    expect(grants.find((grant: { toolkit: string }) => grant.toolkit === 'http').config).toEqual(config);
  });

  test('R-cli: errors for unknown agents and tools list the existing ones', async () => {
    await refused('not_found', /List the agents/, 'grants', 'nobody');
    await refused('invalid_input', /Did you mean calculate/, 'grant', 'first', 'calculator');
    await refused('invalid_input', /Quote it for your shell/, 'call', 'calculate', '{expression}');
  });

  test('R-cli: credentials are listed without secrets, and a revoked one ends immediately', async () => {
    const token = (await said('agents', 'token', 'first')).trim();
    expect((await ask(server.url, 'GET /api/tools/workspace', token)).status).toBe(200);
    const list = await said('credentials');
    expect(list).toMatch(/^ID\s+KIND\s+NAME\s+PREFIX/);
    expect(list).not.toContain(token);
    const rows = (await json('credentials')) as { id: string; prefix: string }[];
    expect(JSON.stringify(rows)).not.toMatch(/hash|helve_agent_[\w-]{20}/);
    const mine = rows.find(({ prefix }) => token.startsWith(prefix));
    expect(await said('revoke', mine?.id ?? '')).toBe('Revoked.\n');
    expect((await ask(server.url, 'GET /api/tools/workspace', token)).status).toBe(401);
    const { code, stderr } = await helve('revoke', mine?.id ?? '');
    expect([code, stderr]).toEqual([5, expect.stringContaining('(not_found)')]);
  });
});

test('R-approval: approvals lists waiting calls; approve and reject decide them, once', async () => {
  const key = await adminKey();
  const policies = [
    { id: 'ask', effect: 'require_approval', when: { tools: ['key_value_set'] }, reason: 'Look first' },
  ];
  expect((await ask(server.url, 'PUT /api/policies', key, { policies })).status).toBe(200);
  expect(await said('approvals')).toBe('Nothing waits.\n');
  const input = '{"key":"k","value":1}';
  const waits = await helve('call', 'key_value_set', input, '--agent', 'first', '--json');
  expect(waits.code).toBe(4);
  const { error } = JSON.parse(waits.stdout || waits.stderr);
  expect(error).toMatchObject({
    code: 'approval_required',
    details: { url: expect.stringContaining(`${server.url}/approvals/`) },
  });
  expect(await said('approvals')).toMatch(
    /^ID\s+STATUS\s+WHO\s+TOOL[\s\S]*pending\s+first for command line\s+key_value_set/,
  );
  const [waiting] = await json('approvals');
  expect(waiting.id).toBe(error.details.approvalId);
  expect(await said('approve', waiting.id)).toBe('key_value_set is approved.\n');
  const again = await helve('approve', waiting.id);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('(conflict)')]);
  expect(await said('call', 'key_value_set', input, '--agent', 'first')).toContain('success');
  expect((await helve('call', 'key_value_set', input, '--agent', 'first')).code).toBe(4);
  const [second] = await json('approvals');
  expect(await said('reject', second.id)).toBe('key_value_set is rejected.\n');
  const rejected = await helve('call', 'key_value_set', input, '--agent', 'first');
  expect([rejected.code, rejected.stdout + rejected.stderr]).toEqual([3, expect.stringContaining('rejected')]);
  expect((await json('approvals', '--all')).map(({ status }: { status: string }) => status).sort()).toEqual([
    'rejected',
    'used',
  ]);
});

test('R-cli: admin prints a link that signs in, once', async () => {
  const link = (await said('admin')).trim();
  expect(link).toMatch(new RegExp(`^${server.url}/admin/login\\?token=helve_link_`));
  const redeem = () =>
    fetch(`${server.url}/admin/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URL(link).search.slice(1),
    });
  expect([(await redeem()).status, (await redeem()).status]).toEqual([303, 401]);
  expect(await json('admin')).toMatchObject({
    link: expect.stringContaining('helve_link_'),
    expiresAt: expect.any(String),
  });
});

test('R-cli: a key without permissions and a server that does not exist get clear errors', async () => {
  const key = await adminKey();
  const { secret } = (await ask(server.url, 'POST /api/keys', key, { permissions: ['tools:read'] })).body;
  await refused('forbidden', /Use a credential that has it/, 'agents', 'list', '--url', server.url, '--token', secret);
  await refused(
    'unauthenticated',
    /With --url, add a valid API key.*--token/,
    'agents',
    'list',
    '--url',
    server.url,
    '--token',
    'helve_key_nonsense',
  );
  await refused('unauthenticated', /With --url, add a valid API key.*--token/, 'agents', 'list', '--url', server.url);
  await refused('upstream_failed', /Is it running\?/, 'agents', 'list', '--url', 'http://127.0.0.1:1');
  const nowhere = await run(['agents', '--data', join(dataDir, 'nowhere')]);
  expect([nowhere.code, nowhere.stderr]).toEqual([
    6,
    expect.stringMatching(/No Helve has been started[\s\S]*hint: .*npm start/),
  ]);
  const unknown = await run(['frobnicate']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/Unknown command 'frobnicate'/)]);
});

test('R-cli: config shows every setting, its value and where that is from', async () => {
  const rows = (await json('config')) as { key: string; isSet: boolean; value?: unknown; source: { kind: string } }[];
  const find = (key: string) => rows.find((row) => row.key === key);
  expect(find('limits.per_tool')).toMatchObject({ value: 300, source: { kind: 'default' } });
  expect(find('limits.per_ip')).toMatchObject({ value: null, source: { kind: 'file', line: expect.any(Number) } });
  expect(find('HELVE_DATABASE_URL')).toMatchObject({ isSet: false });
  expect(await said('config', 'show')).toMatch(/^SETTING\s+VALUE\s+FROM[\s\S]*limits\.per_tool\s+300\s+default/);
  expect(await said('config', '--set')).not.toMatch(/\sdefault\n/);
});

test('R-audit: a row of the record shows the account, the rule and the arguments, and an actor is asked for by name', async () => {
  await said('call', 'calculate', '{"expression":"3**10"}');
  expect(await said('audit', '--actor', 'command line', '--text', '3**10')).toMatch(
    /^SEQ .*TOOL +ACCOUNT +RULE +DETAILS\n.*execution\.started +command line +Math\.calculate .*\{"expression":"3\*\*10"\}\n$/,
  );
  expect(await said('audit', '--actor', 'first', '--text', '3**10')).toBe('No row matches.\n');
});

test('R-audit: audit shows the record and filters it; verify and doctor agree, and name a broken row', async () => {
  await said('call', 'calculate', '{"expression":"2**10"}');
  expect(await said('audit', '--limit', '2')).toMatch(
    /^SEQ\s+AT\s+TYPE[\s\S]*execution\.finished\s+command line\s+Math\.calculate/,
  );
  const found = (await json('audit', '--tool', 'math.calculate', '--text', '2**10')) as {
    type: string;
    body: object;
  }[];
  expect(found.map(({ type }) => type)).toEqual(['execution.started']);
  expect(await said('audit', '--text', 'there is no such text')).toBe('No row matches.\n');
  const head = /^\d+ rows, unbroken\. Head: (\d+:[0-9a-f]{64})\n$/.exec(await said('audit', 'verify'))?.[1] ?? 'none';
  expect(await said('audit', 'verify', '--after', head)).toMatch(/^\d+ rows, unbroken/);
  const store = join(dataDir, 'helve.db');
  expect(await said('audit', 'verify', '--store', store)).toMatch(/^\d+ rows of default, unbroken/);
  expect((await helve('audit', 'verify', '--after', `1:${'0'.repeat(64)}`)).stderr).toMatch(/broken at row 1/);
  expect((await helve('audit', 'verify', '--after', 'a word')).stderr).toMatch(/head that an earlier check/);
  expect((await helve('audit', 'verify', '--store', `${store}-none`)).stderr).toMatch(/There is no store/);
  const verified = (await json('audit', 'verify')) as { checkpoint: string };
  expect(verified).toMatchObject({ ok: true, checkpoint: expect.stringMatching(/^v1\./) });
  expect(await json('audit', 'verify', '--checkpoint', verified.checkpoint)).toMatchObject({
    ok: true,
    earlier: { seq: expect.any(Number) },
  });
  expect((await helve('audit', 'verify', '--checkpoint', 'v1.a.b.c')).stderr).toMatch(
    /not a checkpoint of this record/,
  );
  const lines = async (...filter: string[]) =>
    (await said('audit', 'export', ...filter))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect((await lines())[0]).toMatchObject({ seq: 1 });
  expect(await lines('--tool', 'math.calculate', '--text', '2**10')).toMatchObject([
    { partial: { filter: { tool: 'math.calculate', text: '2**10' } } },
    { type: 'execution.started', tool: 'Math.calculate' },
  ]);
  expect(await said('doctor')).toMatch(
    /ok\s+Node\.js[\s\S]*ok\s+data folder[\s\S]*ok\s+server[\s\S]*ok\s+record\s+\d+ rows, unbroken/,
  );

  const database = new Database(store);
  database.prepare('update audit_events set body = ? where seq = 4').run('{}');
  database.close();
  const broken = await helve('audit', 'verify');
  expect([broken.code, broken.stderr]).toEqual([
    1,
    expect.stringMatching(/broken at row 4 \(\w+\.\w+ .*\): row 4 was changed[\s\S]*The 3 rows before it are intact/),
  ]);
  expect((await helve('audit', 'verify', '--store', store)).stderr).toMatch(/record of default is broken at row 4/);
  const doctor = await helve('doctor', '--json');
  expect(doctor.code).toBe(1);
  expect(JSON.parse(doctor.stdout).find(({ check }: { check: string }) => check === 'record')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('row 4'),
  });
});

test('R-cli: stored text cannot control the terminal', async () => {
  const key = await adminKey();
  await ask(server.url, 'POST /api/agents', key, { slug: 'painter', name: '\u001b[31mred\u001b[0m\u202e' });
  const { stdout } = await helve('agents');
  expect(stdout).toContain('painter');
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
});
