/** Auth configs at Composio: how an app signs in, for all accounts that use it. */
import type { JsonObject } from '../../domain/json.js';
import { defined } from '../../util/defined.js';
import { type Page, readPage } from './pages.js';
import type { Requests } from './requests.js';
import { type AuthConfig, authConfig, createdAuthConfig } from './shapes.js';

export interface NewAuthConfig {
  readonly toolkit: string;
  /** `managed`: with Composio's own client. */
  readonly kind: 'managed' | 'custom';
  readonly scheme: string;
  readonly name?: string | undefined;
  readonly credentials?: JsonObject | undefined;
}

export interface AuthConfigCalls {
  /** The enabled ones of a toolkit. */
  listAuthConfigs(query: { readonly toolkit: string; readonly cursor?: string | undefined }): Promise<Page<AuthConfig>>;
  createAuthConfig(wanted: NewAuthConfig): Promise<{ readonly id: string; readonly scheme: string }>;
}

const route = '/auth_configs';

/** Returns the auth config methods over `requests`. */
export function createAuthConfigCalls(requests: Requests): AuthConfigCalls {
  return {
    listAuthConfigs({ toolkit, cursor }) {
      const query = { toolkit_slug: toolkit, limit: 100, cursor };
      return readPage(requests, { route, query }, authConfig);
    },
    async createAuthConfig({ toolkit, kind, scheme, name, credentials = {} }) {
      const config =
        kind === 'managed'
          ? { type: 'use_composio_managed_auth' }
          : { type: 'use_custom_auth', authScheme: scheme, credentials };
      const json = { toolkit: { slug: toolkit }, auth_config: { ...config, ...defined({ name }) } };
      const { auth_config } = await requests.read({ method: 'POST', route, json }, createdAuthConfig);
      return { id: auth_config.id, scheme: auth_config.auth_scheme ?? scheme };
    },
  };
}
