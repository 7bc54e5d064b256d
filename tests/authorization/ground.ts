/**
 * The complete application as `helve serve` wires it (tests/mcp/real-door.ts), and a person with a browser: signed
 * in, reading the page, pressing one of its buttons.
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { openRealDoor, type RealDoor, type RealDoorOptions } from '../mcp/real-door.js';

export const callback = 'https://app.example/cb';

export interface Ground extends RealDoor {
  /** `helve_session=…` of the admin of the workspace `default`. */
  readonly cookie: string;
  readonly clientId: string;
}

export async function openGround(options: RealDoorOptions = {}): Promise<Ground> {
  const real = await openRealDoor(options);
  const clientId = await register(real, [
    callback,
    `${callback}?kept=1`,
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5000/cb',
  ]);
  return { ...real, clientId, cookie: await signIn(real) };
}

export async function register({ url }: Pick<RealDoor, 'url'>, redirectUris: string[], name = 'Test program') {
  const response = await postJson(`${url}/oauth/register`, { client_name: name, redirect_uris: redirectUris });
  expect(response.status).toBe(201);
  return ((await response.json()) as { client_id: string }).client_id;
}

export function postJson(address: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text });
}

export function postForm(
  address: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

/** As the admin of the workspace does it: with the link that the command line prints. */
export async function signIn({ url, helve }: Pick<RealDoor, 'url' | 'helve'>, workspaceId = helve.workspaceId) {
  const token = await helve.adminLink(workspaceId);
  const response = await postForm(`${url}/admin/login`, { token }, { origin: url });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

type Fields = Record<string, string | undefined>;

/** A valid request except for `changes`; undefined omits a parameter. */
export function authorizeAddress(ground: Ground, challenge: string, changes: Fields = {}): string {
  const fields: Fields = {
    response_type: 'code',
    client_id: ground.clientId,
    redirect_uri: callback,
    state: 'st4te',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: ground.alice.address,
    ...changes,
  };
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return `${ground.url}/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

export function openPage(address: string, cookie: string): Promise<Response> {
  return fetch(address, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
}

export function consentOf(page: string): string {
  return /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

/** Reads the page and presses a button; returns where the browser is sent. */
export async function answerPage(
  ground: Ground,
  address: string,
  decision: 'approved' | 'rejected' = 'approved',
): Promise<URL> {
  const page = await openPage(address, ground.cookie);
  const text = await page.text();
  expect(page.status, text).toBe(200);
  const done = await postForm(
    `${ground.url}/oauth/authorize`,
    { consent: consentOf(text), decision },
    { cookie: ground.cookie, origin: ground.url },
  );
  expect(done.status).toBe(303);
  return new URL(done.headers.get('location') ?? '');
}

export interface Code {
  readonly code: string;
  readonly verifier: string;
}

export async function getCode(ground: Ground, changes: Fields = {}): Promise<Code> {
  const { verifier, challenge } = pkce();
  const back = await answerPage(ground, authorizeAddress(ground, challenge, changes));
  return { code: back.searchParams.get('code') ?? '', verifier };
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
}

export interface Told {
  readonly status: number;
  readonly body: Tokens & { readonly error?: string; readonly error_description?: string };
}

export async function toToken(
  ground: Ground,
  fields: Record<string, string> | [string, string][],
  headers = {},
): Promise<Told> {
  const response = await postForm(`${ground.url}/oauth/token`, fields, headers);
  return { status: response.status, body: (await response.json()) as Told['body'] };
}

export function codeForm(ground: Ground, { code, verifier }: Code, changes: Fields = {}): Record<string, string> {
  const fields: Fields = {
    grant_type: 'authorization_code',
    client_id: ground.clientId,
    redirect_uri: callback,
    code,
    code_verifier: verifier,
    resource: ground.alice.address,
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

export async function getTokens(ground: Ground, changes: Fields = {}): Promise<Tokens> {
  const { status, body } = await toToken(ground, codeForm(ground, await getCode(ground, changes)));
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

export function refresh(ground: Ground, refreshToken: string, changes: Fields = {}): Promise<Told> {
  const fields = { grant_type: 'refresh_token', client_id: ground.clientId, refresh_token: refreshToken, ...changes };
  return toToken(ground, fields as Record<string, string>);
}

/** Lists the agent's tools with this token; returns the status. */
export async function knock(address: string, token: string | undefined, method = 'tools/list', params: object = {}) {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate') ?? '',
    text: await response.text(),
  };
}

/** Where the official clients listen for the answer. */
export const redirectUrl = 'http://localhost:3334/oauth/callback';

/** What the official clients keep between the steps of a sign-in, in memory; the person in the browser agrees. */
export function createProvider(ground: Ground) {
  const kept: { client?: any; tokens?: any; discovery?: any; verifier?: string; back?: URL } = {};
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'Official client', redirect_uris: [redirectUrl], application_type: 'native' },
    state: () => 'a-state',
    clientInformation: () => kept.client,
    saveClientInformation(client: unknown) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: unknown) {
      kept.tokens = tokens;
    },
    codeVerifier: () => kept.verifier ?? '',
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState(state: unknown) {
      kept.discovery = state;
    },
    async redirectToAuthorization(address: URL) {
      kept.back = await answerPage(ground, address.href);
    },
  };
  return { kept, provider };
}
