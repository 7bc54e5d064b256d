/**
 * A real OpenID provider (oidc-provider). It signs in whom the test says, without asking. A test can let it answer with an ID
 * token that it changes and signs, with the provider's own key or another, so that only one check stands in the way.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

export interface TestIdentityProvider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in next. */
  person: Person;
  /** Changes the claims of the next ID tokens, which are then signed again. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** What signs changed ID tokens: the provider's own key, another under the same key id, or nothing (`alg: none`). */
  forgeWith: 'own key' | 'another key' | 'no key';
  /** Whether claims about the person are in the ID token, or only in UserInfo. */
  claimsInToken: boolean;
  /** The paths that were requested, in order. */
  readonly paths: string[];
  /** An item of `sign_in.oidc` in `helve.yaml`, as JSON, which YAML contains. */
  config(name: string, more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  close(): Promise<void>;
}

const keyId = 'signing-key';
/** The keys of providers that are closed, for the next ones: a new RSA key takes a tenth of a second. No two open ones share any. */
const spareKeys: (readonly [own: CryptoKey, other: CryptoKey])[] = [];
const cookieKey = 'a test key';

export async function startIdentityProvider(redirectUris: readonly string[]): Promise<TestIdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = spareKeys.pop() ?? (await Promise.all([newKey(), newKey()]));
  const [own, other] = keys;
  const client = { clientId: 'helve', clientSecret: 'openid-client-secret_0123456789' };
  const made: TestIdentityProvider = {
    url,
    ...client,
    person: { sub: 'ada' },
    forge: undefined,
    forgeWith: 'own key',
    claimsInToken: true,
    paths: [],
    config: (name, more = {}) => ({
      name,
      issuer: url,
      client_id: client.clientId,
      client_secret: client.clientSecret,
      scopes: ['profile', 'email', 'groups'],
      ...more,
    }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      spareKeys.push(keys);
    },
  };
  const jwk = { ...(await exportJWK(own)), kid: keyId, alg: 'RS256', use: 'sig' };
  const people = new Map<string, Person>();
  const options = { redirectUris, client, jwk, people };
  const providers = {
    token: createProvider(url, { ...options, conformIdTokenClaims: false }),
    userInfo: createProvider(url, { ...options, conformIdTokenClaims: true }),
  };
  serve(server, made, { providers, people, sign: { 'own key': own, 'another key': other } });
  return made;
}

async function newKey(): Promise<CryptoKey> {
  return (await generateKeyPair('RS256', { extractable: true })).privateKey;
}

interface ProviderOptions {
  readonly redirectUris: readonly string[];
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  readonly jwk: object;
  readonly people: ReadonlyMap<string, Person>;
  readonly conformIdTokenClaims: boolean;
}

function createProvider(url: string, { redirectUris, client, jwk, people, conformIdTokenClaims }: ProviderOptions) {
  return new Provider(url, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [jwk] } as never,
    features: { devInteractions: { enabled: false } },
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims,
    pkce: { required: () => true },
    ttl: { AccessToken: 600, IdToken: 600, Session: 600, Interaction: 600, Grant: 600 },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ ...(people.get(id) ?? { sub: id }) }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    cookies: { keys: [cookieKey] },
  });
}

interface Serving {
  readonly providers: { readonly token: Provider; readonly userInfo: Provider };
  readonly people: Map<string, Person>;
  readonly sign: Readonly<Record<Exclude<TestIdentityProvider['forgeWith'], 'no key'>, CryptoKey>>;
}

function serve(server: Server, made: TestIdentityProvider, { providers, people, sign }: Serving): void {
  const chosen = (): Provider => (made.claimsInToken ? providers.token : providers.userInfo);
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    made.paths.push(path.split('?')[0] ?? '');
    people.set(made.person.sub, made.person);
    if (path.startsWith('/interaction/')) return interact(chosen(), made, request, response);
    if (path === '/token' && made.forge) changeToken(response, made, sign);
    return chosen().callback()(request, response);
  });
}

/** Signs the person in and consents, without asking. */
async function interact(
  provider: Provider,
  { person }: TestIdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: person.sub, remember: false } });
  const accountId = session?.accountId ?? '';
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

/** Replaces the ID token in the answer. */
function changeToken(response: ServerResponse, made: TestIdentityProvider, keys: Serving['sign']): void {
  const end = response.end.bind(response);
  const { forge = (claims) => claims, forgeWith } = made;
  response.end = ((body: unknown) => {
    const answer = JSON.parse(String(body)) as { id_token?: string };
    if (answer.id_token === undefined) return end(body);
    void signClaims(forge(decodeJwt(answer.id_token)), forgeWith === 'no key' ? undefined : keys[forgeWith]).then(
      (id_token) => {
        const text = JSON.stringify({ ...answer, id_token });
        response.setHeader('content-length', Buffer.byteLength(text));
        end(text);
      },
    );
    return response;
  }) as typeof response.end;
}

async function signClaims(claims: JWTPayload, key: CryptoKey | undefined): Promise<string> {
  if (key) return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keyId }).sign(key);
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
}
