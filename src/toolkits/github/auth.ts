/** The ways to sign in to GitHub: with a person's token, through OAuth, or as an installed App. */
import type { Account, ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { exchangeAppToken } from './app-token.js';

export const githubAuth: ToolkitAuth = {
  schemes: [
    {
      id: 'token',
      kind: 'api_key',
      title: 'Personal access token',
      fields: [
        {
          name: 'token',
          title: 'Token',
          description: 'A fine-grained or classic personal access token (github.com/settings/tokens).',
          secret: true,
          pattern: '^[A-Za-z0-9_]{4,512}$',
        },
      ],
      placement: [{ in: 'header', name: 'authorization', value: 'Bearer {token}' }],
    },
    { id: 'oauth2', kind: 'oauth2', title: 'Sign in with GitHub', provider: 'github' },
    {
      id: 'app',
      kind: 'service_account',
      title: 'GitHub App installation',
      fields: [
        {
          name: 'app_id',
          title: 'App id',
          description: 'The App’s id or client id, from its settings page.',
          secret: false,
          pattern: '^[A-Za-z0-9.]{1,100}$',
        },
        {
          name: 'installation_id',
          title: 'Installation id',
          description: 'The number at the end of the address of the installation’s page.',
          secret: false,
          pattern: '^[0-9]{1,20}$',
        },
        {
          name: 'private_key',
          title: 'Private key',
          description: 'The whole PEM file that GitHub made for the App.',
          secret: true,
        },
      ],
      exchange: exchangeAppToken,
    },
  ],
  identify,
  impliedScopes: {
    repo: ['public_repo', 'repo:status', 'repo_deployment', 'repo:invite', 'security_events'],
    user: ['read:user', 'user:email', 'user:follow'],
    'admin:org': ['write:org', 'read:org'],
    'write:org': ['read:org'],
  },
};

interface RawAccount {
  readonly id: number;
  readonly login: string;
  readonly email?: string | null;
}

async function identify(service: ServiceClient): Promise<Account> {
  try {
    const { id, login, email } = await service.json<RawAccount>({ path: '/user' });
    return { id: String(id), name: login, ...defined({ email: email || undefined }) };
  } catch (error) {
    // An App's installation may not read `/user`, and `identify` does not know which scheme it is called for.
    if (!(error instanceof HelveError) || error.code !== 'forbidden') throw error;
    return (await identifyInstallation(service)) ?? Promise.reject(error);
  }
}

/** Undefined if the token does not belong to an installation. */
async function identifyInstallation(service: ServiceClient): Promise<Account | undefined> {
  const response = await service
    .request({ path: '/installation/repositories', query: { per_page: 1 } })
    .catch((error: unknown) => {
      if (error instanceof HelveError && (error.code === 'forbidden' || error.code === 'not_found')) return undefined;
      throw error;
    });
  if (!response) return undefined;
  const { repositories } = response.json<{ readonly repositories: readonly { readonly owner: RawAccount }[] }>();
  const owner = repositories[0]?.owner;
  if (owner) return { id: String(owner.id), name: owner.login };
  throw new HelveError('forbidden', 'The installation of the GitHub App has no access to any repository', {
    hint: 'Give it at least one on the page of the installation, then connect again.',
  });
}
