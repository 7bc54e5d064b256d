import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUrl } from '../../util/parse-url.js';
import { firstParty } from './first-party.js';
import { providerFor, providerSlugs } from './index.js';

/** `{name}` may occur in a host or a path; the rest must be an address. */
const endpoint = z.string().refine((url) => {
  const filled = url.replace(/\{[a-z]+\}/g, 'a-tenant');
  const parsed = parseUrl(filled);
  if (!parsed) return false;
  const { protocol, username, hash, search, port, hostname } = parsed;
  return (
    protocol === 'https:' &&
    !/[{}[\]\s]/.test(filled) &&
    `${username}${hash}${search}${port}` === '' &&
    /\w/.test(hostname)
  );
}, 'an https address');
const words = z.record(z.string().regex(/^\w+$/), z.string().min(1));
const shape = z.strictObject({
  slug: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  name: z.string().regex(/^\S(?:.*\S)?$/),
  authorizationEndpoint: endpoint,
  tokenEndpoint: endpoint,
  revocationEndpoint: endpoint.optional(),
  issuer: z.string().optional(),
  scopeDelimiter: z.enum([',']).optional(),
  scopeParameter: z.enum(['scopes', 'advanced_scopes']).optional(),
  pkce: z.enum(['S256', 'none']).optional(),
  tokenAuth: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
  authorizationParameters: words.optional(),
  tokenParameters: words.optional(),
  consoleUrl: endpoint.optional(),
  docsUrl: endpoint.optional(),
});
const catalogue: { slug: string }[] = JSON.parse(readFileSync(new URL('catalogue.json', import.meta.url), 'utf8'));

describe('the list of OAuth providers', () => {
  test('R-oauth: at least 150 in addition to our own, each once, in order, none of them ours', () => {
    const slugs = catalogue.map(({ slug }) => slug);
    expect(slugs.length).toBeGreaterThanOrEqual(150);
    expect(slugs).toEqual([...new Set(slugs)].sort());
    expect(slugs.filter((slug) => firstParty.some((own) => own.slug === slug))).toEqual([]);
  });

  test.each(
    [...firstParty, ...catalogue].map((provider) => [provider.slug, provider]),
  )('R-oauth: %s has the form of a provider', (_slug, provider) => {
    expect(shape.safeParse(provider).error?.issues ?? []).toEqual([]);
  });

  test('R-oauth: an invalid form is detected', () => {
    const [good] = catalogue;
    for (const tokenEndpoint of ['http://a.b/c', 'https://[subdomain].a.b/c', 'https://u@a.b/c', 'https://a.b/c?x=1'])
      expect(shape.safeParse({ ...good, tokenEndpoint }).success).toBe(false);
  });

  test.each([
    [
      'spotify',
      'https://accounts.spotify.com/authorize',
      'https://accounts.spotify.com/api/token',
      'client_secret_basic',
    ],
    [
      'notion',
      'https://api.notion.com/v1/oauth/authorize',
      'https://api.notion.com/v1/oauth/token',
      'client_secret_basic',
    ],
    ['discord', 'https://discord.com/oauth2/authorize', 'https://discord.com/api/oauth2/token', 'client_secret_basic'],
    [
      'linkedin',
      'https://www.linkedin.com/oauth/v2/authorization',
      'https://www.linkedin.com/oauth/v2/accessToken',
      'client_secret_post',
    ],
    [
      'dropbox',
      'https://www.dropbox.com/oauth2/authorize',
      'https://api.dropboxapi.com/oauth2/token',
      'client_secret_basic',
    ],
    ['asana', 'https://app.asana.com/-/oauth_authorize', 'https://app.asana.com/-/oauth_token', 'client_secret_post'],
    ['zoom', 'https://zoom.us/oauth/authorize', 'https://zoom.us/oauth/token', 'client_secret_basic'],
    [
      'shopify',
      'https://{subdomain}.myshopify.com/admin/oauth/authorize',
      'https://{subdomain}.myshopify.com/admin/oauth/access_token',
      'client_secret_post',
    ],
  ])('R-oauth: %s is correct', async (slug, authorizationEndpoint, tokenEndpoint, tokenAuth) => {
    expect(await providerFor(slug)).toMatchObject({ authorizationEndpoint, tokenEndpoint, tokenAuth });
  });

  test('R-oauth: peculiarities are included: delimiters, parameters, public clients, PKCE', async () => {
    expect(await providerFor('strava')).toMatchObject({ scopeDelimiter: ',' });
    expect((await providerFor('spotify'))?.scopeDelimiter).toBeUndefined();
    expect(await providerFor('notion')).toMatchObject({ authorizationParameters: { owner: 'user' } });
    expect(await providerFor('optimizely')).toMatchObject({ scopeParameter: 'scopes' });
    expect(await providerFor('etsy')).toMatchObject({ tokenAuth: 'none', pkce: 'S256' });
  });

  test('R-oauth: no OAuth 1.0a, and nothing that the client does not support', async () => {
    for (const slug of ['500px', 'flickr', 'trello', 'xing', 'wechat', 'figma', 'qq'])
      expect(await providerFor(slug)).toBeUndefined();
  });

  test('R-oauth: our own data takes precedence over the list, and an unknown slug is undefined', async () => {
    for (const own of firstParty) expect(await providerFor(own.slug)).toBe(own);
    const slugs = await providerSlugs();
    expect(slugs.slice(0, firstParty.length)).toEqual(firstParty.map(({ slug }) => slug));
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of ['', 'nobody', '__proto__', 'constructor', 'Spotify'])
      expect(await providerFor(slug)).toBeUndefined();
  });

  test('R-oauth: the list is the output of the script', () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const written = execFileSync(process.execPath, ['scripts/import-oauth-providers.js', '--print'], { cwd: root });
    expect(JSON.parse(written.toString())).toEqual(catalogue);
  });
});
