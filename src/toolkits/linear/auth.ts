/** Signing in to Linear: OAuth, or a personal API key, which is sent without `Bearer`. */
import type { Account, ToolkitAuth } from '../../domain/connection.js';
import type { ServiceClient } from '../../domain/service.js';
import { createLinear } from './client.js';

export const linearAuth: ToolkitAuth = {
  schemes: [
    { id: 'oauth2', kind: 'oauth2', title: 'Sign in with Linear', provider: 'linear', scopes: ['read'] },
    {
      id: 'api_key',
      kind: 'api_key',
      title: 'API key',
      fields: [
        {
          name: 'key',
          title: 'API key',
          description: 'A personal API key: Settings, Security & access.',
          secret: true,
          pattern: '^[A-Za-z0-9_-]{8,500}$',
        },
      ],
      placement: [{ in: 'header', name: 'authorization', value: '{key}' }],
    },
  ],
  identify,
  impliedScopes: {
    write: ['read', 'issues:create', 'comments:create'],
    admin: ['read', 'write', 'issues:create', 'comments:create'],
  },
};

interface Viewer {
  readonly viewer: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly organization: { readonly name: string };
  };
}

async function identify(service: ServiceClient): Promise<Account> {
  const { viewer } = await createLinear(service).query<Viewer>(
    'query { viewer { id name email organization { name } } }',
  );
  return { id: viewer.id, name: `${viewer.name} (${viewer.organization.name})`, email: viewer.email };
}
