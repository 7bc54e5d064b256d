/** R-google-gmail, R-google-sheets, R-google-calendar: accounts, addresses, scopes, and Google's refusals in our words. */
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExchangeContext } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient, ServiceRequest, ServiceResponse } from '../../domain/service.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { explainGoogle } from './explain.js';
import { googleGmail, googleWorkspace } from './index.js';
import { impliedScopes } from './scopes.js';
import { exchangeServiceAccountKey } from './service-account.js';
import { startGoogleEmulator } from './testing/emulator.js';
import { type Recorder, startRecorder } from './testing/recorder.js';
import { workspaceAt } from './testing/workspace.js';

describe('the two toolkits', () => {
  test('R-google-gmail: Gmail has fourteen tools, and Workspace the very same beside Sheets and Calendar', async () => {
    const [gmail, workspace] = await Promise.all([googleGmail.load(), googleWorkspace.load()]);
    expect(gmail).toHaveLength(14);
    expect(workspace.slice(0, 14)).toEqual(gmail);
    expect(workspace.every((tool, index) => index >= 14 || tool === gmail[index])).toBe(true);
    const groups = workspace.map(({ group }) => group);
    expect(['Gmail', 'Sheets', 'Calendar'].map((name) => groups.filter((group) => group === name).length)).toEqual([
      14, 5, 8,
    ]);
  });

  test('R-google-gmail: every tool states its hints, its scopes and what it does', async () => {
    for (const tool of await googleWorkspace.load()) {
      expect([tool.name, tool.scopes?.length, tool.capabilities.length, tool.examples?.length]).toEqual([
        tool.name,
        expect.any(Number),
        expect.any(Number),
        1,
      ]);
      expect(tool.scopes?.length).toBeGreaterThan(0);
      expect(Object.keys(tool.annotations).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
      const reads = /^(?:list|get|read|search|find)_/.test(tool.name);
      expect([tool.name, tool.annotations.readOnlyHint]).toEqual([tool.name, reads]);
    }
    const destructive = (await googleWorkspace.load()).filter(({ risk }) => risk === 'destructive');
    expect(destructive.map(({ name }) => name)).toEqual(['delete_calendar_event']);
  });

  test("R-google-gmail: a service account's token is made for what the toolkit's tools need, and no more", async () => {
    for (const toolkit of [googleGmail, googleWorkspace]) {
      const needed = new Set((await toolkit.load()).flatMap(({ scopes = [] }) => scopes));
      const scheme = toolkit.auth?.schemes.find(({ id }) => id === 'service_account');
      expect([...(scheme?.scopes ?? [])].sort()).toEqual([...needed].sort());
    }
  });

  test('R-google-gmail: a wider scope includes the narrower ones that tools name, and no wider one', () => {
    expect(impliedScopes['https://mail.google.com/']).toContain('https://www.googleapis.com/auth/gmail.modify');
    expect(impliedScopes['https://www.googleapis.com/auth/gmail.modify']).toContain(
      'https://www.googleapis.com/auth/gmail.send',
    );
    expect(impliedScopes['https://www.googleapis.com/auth/gmail.readonly']).toBeUndefined();
    expect(impliedScopes['https://www.googleapis.com/auth/calendar.readonly']).not.toContain(
      'https://www.googleapis.com/auth/calendar.events',
    );
  });

  test('R-google-gmail: requests go to Google, or where the operator says', () => {
    const servers = googleWorkspace.service?.servers.bind(googleWorkspace.service);
    expect(servers?.({}, { base_url: 'http://evil.example' })).toEqual({
      default: { url: 'https://gmail.googleapis.com' },
      sheets: { url: 'https://sheets.googleapis.com' },
      calendar: { url: 'https://www.googleapis.com' },
      drive: { url: 'https://www.googleapis.com' },
      userinfo: { url: 'https://www.googleapis.com' },
    });
    const own = servers?.({ base_url: 'http://127.0.0.1:1', sheets_base_url: 'http://127.0.0.1:2' }, {});
    expect(own).toMatchObject({
      default: { url: 'http://127.0.0.1:1', named: true },
      sheets: { url: 'http://127.0.0.1:2', named: true },
    });
    expect(Object.keys(googleGmail.service?.servers({}, {}) ?? {})).toEqual(['default', 'userinfo']);
  });

  test('R-google-gmail: an invalid address is refused at the start', async () => {
    const options = {
      nativeToolkits: [googleGmail],
      config: 'toolkits:\n  google_gmail:\n    base_url: not an address\n',
    };
    await expect(createTestHelve(options).then((helve) => helve.plane.tools(helve.admin))).rejects.toMatchObject({
      code: 'invalid_config',
    });
  });
});

describe('whose account it is', () => {
  test('R-google-gmail: the account has the name that Google gives, and an invalid token is refused', async () => {
    const google = await startGoogleEmulator();
    const helve = await createTestHelve(workspaceAt(google.baseUrl));
    const [connection] = await helve.plane.connections(helve.admin);
    expect(connection?.account).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace' });
    await expect(createTestHelve(workspaceAt(google.baseUrl, 'wrong'))).rejects.toThrow(HelveError);
    await google.close();
  });
});

describe('refusals', () => {
  const response = (status: number, body: unknown, headers: Record<string, string> = {}): ServiceResponse => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      status,
      headers,
      url: '',
      body: Buffer.from(text),
      text: () => text,
      json: <T>() => JSON.parse(text) as T,
    };
  };
  const google = (code: number, message: string, reason: string, more: object = {}) =>
    response(code, { error: { code, message, errors: [{ reason, message, domain: 'global' }], ...more } });

  test.each([
    [google(403, 'Rate Limit Exceeded', 'rateLimitExceeded'), { code: 'rate_limited' }],
    [google(403, 'User Rate Limit Exceeded', 'userRateLimitExceeded'), { code: 'rate_limited' }],
    [
      google(403, 'Daily Limit Exceeded', 'dailyLimitExceeded'),
      { code: 'rate_limited', hint: expect.stringContaining('hours') },
    ],
    [
      google(403, 'Insufficient Permission', 'insufficientPermissions'),
      { code: 'forbidden', hint: expect.stringContaining('connect it again') },
    ],
    [
      google(403, 'Gmail API has not been used', 'accessNotConfigured'),
      { code: 'forbidden', hint: expect.stringContaining('enable this API') },
    ],
    [
      google(403, 'Shared properties', 'forbiddenForNonOrganizer'),
      { code: 'forbidden', hint: 'Only the organizer can change this.' },
    ],
    [
      google(404, 'Requested entity was not found.', 'notFound'),
      { message: 'Google: Requested entity was not found.', details: { reason: 'notFound' } },
    ],
    [google(410, 'Resource has been deleted', 'deleted'), { code: 'not_found' }],
    [google(412, 'Precondition Failed', 'conditionNotMet'), { code: 'conflict' }],
    [
      google(429, 'Quota exceeded', '', {
        status: 'RESOURCE_EXHAUSTED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2.5s' }],
      }),
      { code: 'rate_limited', retryAfterSeconds: 3 },
    ],
    [
      google(400, 'Invalid value', '', {
        status: 'INVALID_ARGUMENT',
        details: [{ fieldViolations: [{ field: 'values', description: 'too many' }] }],
      }),
      { hint: 'values: too many', details: { reason: 'INVALID_ARGUMENT' } },
    ],
    [
      response(401, { error: 'invalid_token', error_description: 'Authentication required.' }),
      { message: 'Google: Authentication required.' },
    ],
  ])('R-google-gmail: a refusal of Google is told in our words (%#)', (answer, told) => {
    expect(explainGoogle(answer)).toMatchObject(told);
  });

  test('R-google-gmail: the time that Gmail names is waited for', () => {
    const message = 'User-rate limit exceeded.  Retry after 2026-01-05T10:01:30.500Z';
    const answer = {
      ...google(403, message, 'userRateLimitExceeded'),
      headers: { date: 'Mon, 05 Jan 2026 10:00:00 GMT' },
    };
    expect(explainGoogle(answer)?.retryAfterSeconds).toBe(91);
  });

  test('R-google-gmail: a missing scope is named', () => {
    const answer = {
      ...google(403, 'Insufficient', 'insufficientPermissions'),
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="https://mail.google.com/"' },
    };
    expect(explainGoogle(answer)?.hint).toContain('https://mail.google.com/');
  });

  test.each([
    response(200, { error: { message: 'no' } }),
    response(502, '<html>Bad gateway</html>'),
    response(500, 'null'),
    response(500, ''),
    response(404, { message: 'other' }),
  ])('R-google-gmail: what is no refusal of Google is left to its status (%#)', (answer) => {
    expect(explainGoogle(answer)).toBeUndefined();
  });
});

describe('faults', () => {
  let recorder: Recorder;
  let helve: TestHelve;
  beforeAll(async () => {
    recorder = await startRecorder();
    helve = await createTestHelve(workspaceAt(recorder.baseUrl));
  });
  afterAll(() => recorder?.close());
  beforeEach(() => {
    recorder.sent.length = 0;
  });
  const limited = {
    status: 403,
    json: { error: { code: 403, message: 'Rate Limit Exceeded', errors: [{ reason: 'rateLimitExceeded' }] } },
  };

  test('R-google-gmail: what was refused for its rate is sent again, even a send: it was not done', async () => {
    recorder.react = () => (recorder.sent.length < 3 ? limited : { json: { id: 'm1', threadId: 't1' } });
    const result = await helve.call('work__send_gmail_message', { to: 'bob@example.com', subject: 's', body: 'b' });
    expect(result).toMatchObject({ ok: true, output: { id: 'm1' } });
    const ids = recorder.sent.map(
      ({ json }) => /Message-ID: .*/.exec(Buffer.from((json as { raw: string }).raw, 'base64url').toString())?.[0],
    );
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });

  test('R-google-gmail: a send that failed inside of Google is not repeated', async () => {
    recorder.react = () => ({
      status: 500,
      json: { error: { code: 500, message: 'Backend Error', errors: [{ reason: 'backendError' }] } },
    });
    const result = await helve.call('work__send_gmail_message', { to: 'bob@example.com', subject: 's', body: 'b' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'outcome_unknown', hint: expect.stringContaining('in:sent') },
    });
    expect(recorder.sent).toHaveLength(1);
  });

  test('R-google-gmail: a label is put on again after a lost answer', async () => {
    let losses = 1;
    recorder.react = () => (losses-- > 0 ? 'lost' : { json: { id: 'm1', threadId: 't1', labelIds: ['STARRED'] } });
    const result = await helve.call('work__label_message', { message_id: 'm1', labels: ['STARRED'] });
    expect(result).toMatchObject({ ok: true, output: { labels: ['STARRED'] } });
    expect(recorder.sent).toHaveLength(2);
  });
});

describe('service accounts', () => {
  const tokenEndpoint = 'https://oauth2.googleapis.com/token';
  const now = new Date('2026-01-05T10:00:00Z');
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let file: Record<string, string>;
  let asked: ServiceRequest[];

  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    file = {
      type: 'service_account',
      client_email: 'robot@project.iam.gserviceaccount.com',
      private_key: await exportPKCS8(keys.privateKey),
      private_key_id: 'key-1',
      token_uri: tokenEndpoint,
    };
  });
  beforeEach(() => {
    asked = [];
  });

  const exchange = (
    key: unknown,
    answer: unknown = { access_token: 'ya29.x', expires_in: 3599 },
    more: Partial<ExchangeContext> = {},
    subject?: string,
  ) => {
    const json = async (request: ServiceRequest): Promise<unknown> => {
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const service = { json } as unknown as ServiceClient;
    const fields = {
      key: typeof key === 'string' ? key : JSON.stringify(key),
      ...(subject === undefined ? {} : { subject }),
    };
    return exchangeServiceAccountKey({
      fields,
      scopes: ['https://a', 'https://b'],
      service,
      tokenEndpoint,
      now,
      ...more,
    });
  };

  test('R-google-gmail: a key file is traded for a token by a signed assertion (RFC 7523)', async () => {
    expect(await exchange(file, undefined, {}, 'ada@example.com')).toEqual({
      accessToken: 'ya29.x',
      expiresInSeconds: 3599,
    });
    expect(asked).toMatchObject([{ method: 'POST', path: tokenEndpoint }]);
    const form = new Map(asked[0]?.form?.map(([name, value]) => [name, value] as const));
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', keys.publicKey, {
      audience: tokenEndpoint,
      issuer: file.client_email ?? '',
      subject: 'ada@example.com',
      currentDate: now,
    });
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(payload.scope).toBe('https://a https://b https://www.googleapis.com/auth/userinfo.email');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    await exchange(file);
    const plain = new Map(asked[1]?.form?.map(([name, value]) => [name, value] as const)).get('assertion') ?? '';
    expect((await jwtVerify(plain, keys.publicKey, { currentDate: now })).payload).not.toHaveProperty('sub');
  });

  test.each([
    ['what is not JSON', () => 'not json -----BEGIN PRIVATE KEY-----SECRET'],
    ['another kind of file', () => ({ ...file, type: 'authorized_user' })],
    ['a file without key', () => ({ ...file, private_key: undefined })],
    [
      'a broken key',
      () => ({ ...file, private_key: '-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----' }),
    ],
    ["somebody else's token endpoint", () => ({ ...file, token_uri: 'https://evil.example/token' })],
  ])('R-google-gmail: %s is refused, nothing is sent and no secret told', async (_what, key) => {
    const error = await exchange(key()).then(
      () => undefined,
      (thrown: unknown) => thrown as HelveError,
    );
    expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/^key: /) });
    expect(JSON.stringify([error?.message, error?.hint, error?.details])).not.toContain('SECRET');
    expect(asked).toEqual([]);
  });

  test.each([
    ['nothing'],
    [{}],
    [{ access_token: '' }],
  ])('R-google-gmail: the answer %j without a token says what to try', async (answer) => {
    await expect(exchange(file, answer)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: `${new URL(tokenEndpoint).host} answered without an access token`,
      hint: 'Name a subject if the scopes need one.',
    });
  });

  test("R-google-gmail: Google's refusal of a key says what to do", async () => {
    const refusal = new HelveError('invalid_input', 'Google: Client is unauthorized', {
      details: { reason: 'unauthorized_client' },
    });
    await expect(exchange(file, refusal)).rejects.toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('domain-wide delegation'),
    });
    await expect(exchange(file, new HelveError('rate_limited', 'slow down'))).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await expect(exchange(file, { id_token: 'x' })).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  test('R-google-gmail: through the plane a service account reads mail with the token it was given', async () => {
    const recorder = await startRecorder();
    const token_uri = `${recorder.baseUrl}/token`;
    recorder.react = ({ path }) =>
      path === '/token'
        ? { json: { access_token: 'ya29.robot', expires_in: 3600 } }
        : path.endsWith('/labels')
          ? { json: { labels: [] } }
          : undefined;
    const helve = await createTestHelve({
      ...workspaceAt(recorder.baseUrl),
      config: `toolkits:\n  google_workspace:\n    base_url: ${recorder.baseUrl}\noauth:\n  google:\n    token_endpoint: ${token_uri}\n`,
      connections: [
        {
          toolkit: 'google_workspace',
          name: 'Robot',
          scheme: 'service_account',
          credentials: { key: JSON.stringify({ ...file, token_uri }), subject: 'ada@example.com' },
          check: true,
        },
      ],
    });
    expect(await helve.call('robot__list_labels')).toMatchObject({ ok: true, output: { labels: [] } });
    expect(recorder.sent.at(-1)?.headers.authorization).toBe('Bearer ya29.robot');
    const traded = recorder.sent.filter(({ path }) => path === '/token');
    expect(traded).toHaveLength(1);
    const { payload } = await jwtVerify(new URLSearchParams(traded[0]?.text).get('assertion') ?? '', keys.publicKey, {
      subject: 'ada@example.com',
    });
    expect(String(payload.scope).split(' ')).toEqual(
      expect.arrayContaining([
        'https://www.googleapis.com/auth/gmail.send',
        'https://www.googleapis.com/auth/calendar.events',
      ]),
    );
    await recorder.close();
  });
});
