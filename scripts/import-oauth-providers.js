// Writes src/connections/providers/catalogue.json: the OAuth 2.0 servers that the MIT packages `grant` and `arctic` know.
// `grant` is data. `arctic` is code: each of its clients is created and asked for an address and a token, with a `fetch` that
// only records the request, so the file contains what that client really does. Run it after an update of either package:
// node scripts/import-oauth-providers.js (--print: only prints the result)
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const target = new URL('../src/connections/providers/catalogue.json', import.meta.url);

/** Providers that are in `connections/providers/first-party.ts`, also under another name or with another grant. */
const firstParty = new Set(['google', 'github', 'linear', 'slack', 'stripe']);

/** `OAuthProvider` cannot describe the OAuth 2.0 of these, so they are left out: they would not work. */
const leftOut = new Map([
  ['concur', 'credentials in the query of the token request'],
  ['figma', 'renews at another address than it gives tokens at'],
  ['instagram', 'app_id and app_secret in place of the usual names'],
  ['qq', 'gives tokens by GET'],
  ['smartsheet', 'signs the token request with a hash of its own'],
  ['startgg', 'renews at another address than it gives tokens at'],
  ['surveymonkey', 'wants an API key in the query of the token request'],
  ['tiktok', 'client_key in place of client_id in the token request'],
  ['untappd', 'gives tokens by GET'],
  ['visualstudio', 'a JWT assertion in place of a code'],
  ['wechat', 'gives tokens by GET'],
  ['withings', 'wraps tokens in an envelope of its own'],
  // Shut down.
  ...['angellist', 'edmodo', 'eyeem', 'getbase', 'gitter', 'idonethis', 'jumplead', 'live', 'runkeeper', 'slice'].map(
    (slug) => [slug, 'the service has ended or moved'],
  ),
]);

/** From grant's lib/flow/oauth2.js, which has these differences as code. */
const basicInGrant = /autodesk|ebay|fitbit|homeaway|hootsuite|notion|reddit|trustpilot|twitter/;
const habits = {
  // Its address uses another protocol than RFC 7009.
  dropbox: { revocationEndpoint: undefined },
  basecamp: { authorizationParameters: { type: 'web_server' }, tokenParameters: { type: 'web_server' } },
  freelancer: { scopeParameter: 'advanced_scopes' },
  optimizely: { scopeParameter: 'scopes' },
};

/** Grant's slug for arctic's file name, where they differ. */
const sameService = { 'amazon-cognito': 'cognito', twitter: 'twitter2', 'microsoft-entra-id': 'microsoft' };
/** Slugs without the version suffix, which people do not search for. */
const plainSlug = { twitter2: 'twitter', openstreetmap2: 'openstreetmap', projectplace2: 'projectplace' };

const names = {
  42: '42',
  '23andme': '23andMe',
  acuityscheduling: 'Acuity Scheduling',
  authentik: 'authentik',
  aweber: 'AWeber',
  battlenet: 'Battle.net',
  campaignmonitor: 'Campaign Monitor',
  cas: 'Apereo CAS',
  cognito: 'Amazon Cognito',
  constantcontact: 'Constant Contact',
  deviantart: 'DeviantArt',
  digitalocean: 'DigitalOcean',
  docusign: 'DocuSign',
  'donation-alerts': 'DonationAlerts',
  ebay: 'eBay',
  epicgames: 'Epic Games',
  familysearch: 'FamilySearch',
  freeagent: 'FreeAgent',
  fusionauth: 'FusionAuth',
  gitlab: 'GitLab',
  hellosign: 'HelloSign',
  ibm: 'IBM',
  idme: 'ID.me',
  keycloak: 'Keycloak',
  line: 'LINE',
  linkedin: 'LinkedIn',
  livechat: 'LiveChat',
  logingov: 'Login.gov',
  mailchimp: 'Mailchimp',
  mailup: 'MailUp',
  mapmyfitness: 'MapMyFitness',
  mercadolibre: 'Mercado Libre',
  mercadopago: 'Mercado Pago',
  microsoft: 'Microsoft',
  myanimelist: 'MyAnimeList',
  myob: 'MYOB',
  onelogin: 'OneLogin',
  openstreetmap: 'OpenStreetMap',
  osu: 'osu!',
  paypal: 'PayPal',
  producthunt: 'Product Hunt',
  socialpilot: 'SocialPilot',
  soundcloud: 'SoundCloud',
  stackexchange: 'Stack Exchange',
  stocktwits: 'Stocktwits',
  surveysparrow: 'SurveySparrow',
  ticketbud: 'Ticketbud',
  timelyapp: 'Timely',
  twitter: 'X (Twitter)',
  underarmour: 'Under Armour',
  verticalresponse: 'VerticalResponse',
  vk: 'VK',
  wordpress: 'WordPress.com',
  workos: 'WorkOS',
};

const marks = { domain: 'helve-domain.invalid', tenant: 'helve-tenant' };

function fromGrant() {
  const file = join(dirname(require.resolve('grant/package.json')), 'config/oauth.json');
  const found = new Map();
  for (const [slug, entry] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
    if (entry.oauth !== 2) continue;
    // grant joins scopes with a comma unless it says otherwise; its plus sign is a space, written for a query.
    const delimiter = (entry.scope_delimiter ?? ',').replace('+', ' ');
    found.set(slug, {
      authorizationEndpoint: withPlaceholders(entry.authorize_url),
      tokenEndpoint: withPlaceholders(entry.access_url),
      ...(delimiter === ' ' ? {} : { scopeDelimiter: delimiter }),
      tokenAuth: basicInGrant.test(slug) ? 'client_secret_basic' : 'client_secret_post',
      ...habits[slug],
    });
  }
  return found;
}

const withPlaceholders = (url) => url.replace(/\[(\w+)\]/g, '{$1}');

async function fromArctic() {
  const folder = join(dirname(require.resolve('arctic')), 'providers');
  const found = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    const slug = file.slice(0, -3);
    const [Client] = Object.values(await import(pathToFileURL(join(folder, file)).href));
    const seen = await watch(Client, readFileSync(join(folder, file), 'utf8')).catch(() => undefined);
    // Apple's client signs with a key; grant knows its addresses.
    if (seen) found.set(slug, { ...seen, className: Client.name });
  }
  return found;
}

/** Creates the client and records what it would send. */
async function watch(Client, source) {
  const given = { domain: marks.domain, baseURL: `https://${marks.domain}`, realmURL: `https://${marks.domain}` };
  const parameters = argumentsOf(source, 'constructor').map((name) =>
    name === 'tenant'
      ? marks.tenant
      : name === 'authorizationServerId'
        ? null
        : (given[name] ?? (/redirect/i.test(name) ? 'https://app.invalid/cb' : name)),
  );
  const client = new Client(...parameters);
  const call = (method, values) => client[method](...argumentsOf(source, method).map((name) => values[name] ?? null));
  const url = call('createAuthorizationURL', { state: 's', codeVerifier: 'v'.repeat(43), scopes: ['one', 'two'] });
  const token = await requestOf(() => call('validateAuthorizationCode', { code: 'c', codeVerifier: 'v'.repeat(43) }));
  const revocation = client.revokeToken ? await requestOf(() => call('revokeToken', { token: 't' })) : undefined;
  const query = url.searchParams;
  const usual = new Set([
    'response_type',
    'client_id',
    'redirect_uri',
    'state',
    'scope',
    'code_challenge',
    'code_challenge_method',
  ]);
  const extra = Object.fromEntries([...query].filter(([name]) => !usual.has(name)));
  const delimiter = /^one(.+)two$/.exec(query.get('scope') ?? '')?.[1] ?? ' ';
  return {
    authorizationEndpoint: written(url.origin + url.pathname),
    tokenEndpoint: written(token.url),
    ...(revocation === undefined ? {} : { revocationEndpoint: written(revocation.url) }),
    ...(delimiter === ' ' ? {} : { scopeDelimiter: delimiter }),
    ...(query.has('code_challenge') ? { pkce: 'S256' } : {}),
    tokenAuth: token.headers.has('authorization')
      ? 'client_secret_basic'
      : token.body.has('client_secret')
        ? 'client_secret_post'
        : 'none',
    ...(Object.keys(extra).length === 0 ? {} : { authorizationParameters: extra }),
  };
}

const written = (url) => url.replaceAll(marks.domain, '{domain}').replaceAll(marks.tenant, '{tenant}');

function argumentsOf(source, method) {
  const list = new RegExp(`^ {4}(?:async )?${method}\\(([^)]*)\\)`, 'm').exec(source)?.[1] ?? '';
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Returns the request that `act` makes, without sending it. */
async function requestOf(act) {
  const real = globalThis.fetch;
  let request;
  globalThis.fetch = async (wanted, options) => {
    request = new Request(wanted, options);
    throw new TypeError('looked at, not sent');
  };
  try {
    await act();
  } catch {
    // The client reports a failed network, as expected.
  } finally {
    globalThis.fetch = real;
  }
  return { url: request.url, headers: request.headers, body: new URLSearchParams(await request.text()) };
}

/** Prefers arctic to grant: it is newer, and its requests were recorded. */
function merged(grant, arctic) {
  const all = new Map();
  for (const [slug, entry] of grant) all.set(slug, entry);
  for (const [file, { className, ...entry }] of arctic) {
    const slug = sameService[file] ?? file;
    const before = all.get(slug);
    // Where arctic leaves the host open, grant has a complete address, or the service's own domain.
    const open = before !== undefined && addressOf(entry).includes('{');
    const sites = open
      ? { ...before, ...pick(entry, ['pkce', 'tokenAuth']) }
      : { ...pick(before, ['scopeParameter', 'authorizationParameters', 'tokenParameters']), ...entry };
    all.set(slug, { className, ...sites, ...habits[slug] });
  }
  return [...all]
    .filter(([slug]) => !leftOut.has(slug) && !firstParty.has(slug))
    .map(([slug, { className, ...entry }]) => {
      const plain = plainSlug[slug] ?? slug;
      return { slug: plain, name: names[plain] ?? className ?? plain[0].toUpperCase() + plain.slice(1), ...entry };
    })
    .filter(({ authorizationEndpoint, tokenEndpoint }) =>
      [authorizationEndpoint, tokenEndpoint].every((url) => url.startsWith('https://')),
    )
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** With the path, which may contain a tenant. */
const addressOf = ({ authorizationEndpoint }) => authorizationEndpoint;
const pick = (entry, keys) =>
  Object.fromEntries(keys.flatMap((key) => (entry?.[key] === undefined ? [] : [[key, entry[key]]])));

const providers = merged(fromGrant(), await fromArctic());
const text = `${JSON.stringify(providers, null, 2)}\n`;
if (process.argv.includes('--print')) process.stdout.write(text);
else {
  writeFileSync(target, text);
  process.stdout.write(`${providers.length} providers written\n`);
}
