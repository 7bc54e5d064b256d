/**
 * Independent clients sign in by themselves: the official MCP clients of both eras, from a 401 to a call, and a strict
 * OAuth client that checks what the RFCs require of a server.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {
  type OAuthClientProvider as OldProvider,
  UnauthorizedError as OldUnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seal } from '../../src/audit/index.js';
import { createAuthorization } from '../../src/flows/authorizing/index.js';
import { openStorage } from '../../src/storage/index.js';
import { createHttpApp } from '../../src/surfaces/http/index.js';
import { createTestHelve } from '../../src/testing/index.js';
import { houseTools } from '../mcp/house-tools.js';
import { endAll, rowsOf } from '../mcp/real-door.js';
import { answerPage, consentOf, createProvider, type Ground, knock, openGround, redirectUrl } from './ground.js';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround({ tools: houseTools });
});
afterAll(endAll);

describe('R-mcp-server: the official clients', () => {
  it('R-mcp-server: the present one: 401, discovery, registration, consent, token, a call, a refresh', async () => {
    const { kept, provider } = createProvider(ground);
    const authProvider = provider as OAuthClientProvider;
    const open = () => new StreamableHTTPClientTransport(new URL(ground.alice.address), { authProvider });
    const first = open();
    await expect(new Client({ name: 'test', version: '0' }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(kept.back?.searchParams.get('state')).toBe('a-state');
    await first.finishAuth(kept.back!.searchParams);
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(open());
    const result = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
    expect(JSON.stringify(result.content)).toContain('Ada');
    await client.close();
    const before = kept.tokens.access_token;
    expect(await auth(authProvider, { serverUrl: ground.alice.address })).toBe('AUTHORIZED');
    expect(kept.tokens.access_token).not.toBe(before);
    expect((await knock(ground.alice.address, kept.tokens.access_token)).status).toBe(200);
    const [call] = (await rowsOf(ground, 'execution.finished')).slice(-1);
    expect(call).toMatchObject({ actor: { name: 'alice' }, onBehalfOf: { kind: 'user' } });
  });

  it('R-mcp-server: the older one does the same', async () => {
    const { kept, provider } = createProvider(ground);
    const authProvider = provider as unknown as OldProvider;
    const open = () => new OldTransport(new URL(ground.alice.address), { authProvider });
    const first = open();
    const connect = (transport: OldTransport) => {
      const client = new OldClient({ name: 'old', version: '0' });
      return client.connect(transport as never).then(() => client);
    };
    await expect(connect(first)).rejects.toBeInstanceOf(OldUnauthorizedError);
    await first.finishAuth(kept.back!.searchParams.get('code') ?? '');
    const client = await connect(open());
    const result = await client.callTool({ name: 'greet', arguments: { name: 'Bob' } });
    expect(JSON.stringify(result.content)).toContain('Bob');
    await client.close();
  });

  it('R-mcp-server: a person who refuses authorises neither', async () => {
    const { kept, provider } = createProvider(ground);
    const refusing = {
      ...provider,
      async redirectToAuthorization(address: URL) {
        kept.back = await answerPage(ground, address.href, 'rejected');
      },
    } as OAuthClientProvider;
    const transport = new StreamableHTTPClientTransport(new URL(ground.alice.address), { authProvider: refusing });
    await expect(new Client({ name: 'test', version: '0' }).connect(transport)).rejects.toBeInstanceOf(
      UnauthorizedError,
    );
    expect(kept.back?.searchParams.get('error')).toBe('access_denied');
    await expect(transport.finishAuth(kept.back!.searchParams)).rejects.toThrow();
    expect(kept.tokens).toBeUndefined();
  });
});

describe('R-mcp-server: a strict OAuth client', () => {
  const insecure = { [oauth.allowInsecureRequests]: true } as const;

  it('R-mcp-server: metadata, registration, code, refresh and revocation follow the RFCs', async () => {
    const resource = new URL(ground.alice.address);
    const facts = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    const issuer = new URL(facts.authorization_servers?.[0] ?? '');
    const discovery = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    // The library normalises the address to one with a slash; RFC 8414 compares the text.
    const server = (await discovery.clone().json()) as oauth.AuthorizationServer;
    expect(server.issuer).toBe(ground.url);
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { redirect_uris: [redirectUrl], client_name: 'Strict' },
        insecure,
      ),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUrl,
      response_type: 'code',
      state,
      resource: resource.href,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const back = await answerPage(ground, address.href);
    expect(() =>
      oauth.validateAuthResponse({ ...server, issuer: 'https://other.example' }, client, back, state),
    ).toThrow(/iss/);
    const checked = oauth.validateAuthResponse(server, client, back, state);
    const none = oauth.None();
    const more = { ...insecure, additionalParameters: { resource: resource.href } };
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, none, checked, redirectUrl, verifier, more),
    );
    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token ?? '', more),
    );
    expect((await knock(ground.alice.address, renewed.access_token)).status).toBe(200);
    const again = await oauth.refreshTokenGrantRequest(server, client, none, renewed.refresh_token ?? '', more);
    const last = await oauth.processRefreshTokenResponse(server, client, again);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, none, last.refresh_token ?? '', insecure),
    );
    expect((await knock(ground.alice.address, last.access_token)).status).toBe(401);
    const spent = await oauth.refreshTokenGrantRequest(server, client, none, last.refresh_token ?? '', more);
    await expect(oauth.processRefreshTokenResponse(server, client, spent)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('R-mcp-server: a resource that needs a token is challenged in a form that the client can read', async () => {
    const response = await oauth
      .protectedResourceRequest(
        'helve_agent_of_nobody',
        'POST',
        new URL(ground.alice.address),
        new Headers(),
        '{}',
        insecure,
      )
      .catch((error: unknown) => error);
    expect(response).toMatchObject({
      cause: [
        {
          scheme: 'bearer',
          parameters: { error: 'invalid_token', resource_metadata: expect.stringContaining('/mcp/alice') },
        },
      ],
    });
  });
});

describe('R-mcp-server: a program that describes itself', () => {
  const clientId = 'https://program.example/oauth/client.json';
  const document = { client_id: clientId, client_name: 'Described', redirect_uris: ['https://program.example/cb'] };

  /** The same plane with another way to fetch documents, since no test has a public address: two handles on one store. */
  async function openDescribed(text: () => string) {
    const dataDir = await mkdtemp(join(tmpdir(), 'helve-described-'));
    const helve = await createTestHelve({ dataDir });
    const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
    const asked: string[] = [];
    const acts = createAuthorization({ storage, now: () => new Date() }, async (url) => {
      asked.push(url);
      return text();
    });
    const publicUrl = 'http://localhost';
    const app = createHttpApp({ plane: { ...helve.plane, ...acts }, publicUrl });
    const login = await app.request('/admin/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: publicUrl },
      body: new URLSearchParams({ token: await helve.adminLink(helve.workspaceId) }).toString(),
    });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://program.example/cb',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
      resource: `${publicUrl}/mcp/tester`,
    });
    return {
      asked,
      page: (signedIn = true, changes: Record<string, string> = {}) =>
        app.request(`/oauth/authorize?${new URLSearchParams({ ...Object.fromEntries(query), ...changes })}`, {
          headers: signedIn ? { cookie } : {},
        }),
      async close() {
        await storage.close();
        await helve.close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  }

  it('R-mcp-server: is requested once in minutes per document, only for signed-in people', async () => {
    const described = await openDescribed(() => JSON.stringify(document));
    const stranger = await described.page(false);
    expect([stranger.status, described.asked]).toEqual([401, []]);
    const page = await (await described.page()).text();
    for (const part of ['Described', clientId, '<strong>program.example</strong>']) expect(page).toContain(part);
    expect(consentOf(page)).not.toBe('');
    const other = await described.page(true, { redirect_uri: 'https://evil.example/cb' });
    expect([other.status, other.headers.get('location')]).toEqual([400, null]);
    expect(described.asked).toEqual([clientId]);
    await described.close();
  });

  it.each<[string, unknown]>([
    ['another client_id', { ...document, client_id: 'https://program.example/other.json' }],
    ['no client_id', { ...document, client_id: undefined }],
    ['a client_id with a slash more', { ...document, client_id: `${clientId}/` }],
    ['a secret', { ...document, client_secret: 'x' }],
    ['a secret to authenticate with', { ...document, token_endpoint_auth_method: 'client_secret_basic' }],
    ['a key to authenticate with', { ...document, token_endpoint_auth_method: 'private_key_jwt' }],
    ['no addresses', { ...document, redirect_uris: [] }],
    ['a script for an address', { ...document, redirect_uris: ['javascript:alert(1)'] }],
    ['a list', [document]],
    ['a text', 'x'],
    ['null', null],
  ])('R-mcp-server: a document with %s gets no authorisation', async (_what, broken) => {
    const described = await openDescribed(() => JSON.stringify(broken));
    const page = await described.page();
    const text = await page.text();
    expect([page.status, consentOf(text), text]).toEqual([400, '', expect.stringContaining('(invalid_client)')]);
    await described.close();
  });

  it.each([
    '{',
    '',
    '<html>',
    '{"a":'.repeat(10_000),
  ])('R-mcp-server: a document that is %j is refused', async (broken) => {
    const described = await openDescribed(() => broken);
    expect((await described.page()).status).toBe(400);
    await described.close();
  });
});
