/** Auth configs at Composio: how an app signs in, for all accounts that use it. */
import type { JsonObject } from '../../domain/json.js';
import { readFields, within } from './answer-fields.js';
import { readPage } from './listings.js';
import type { Requests } from './requests.js';
import { type AuthConfig, authConfigFields, type Page, refFields } from './shapes.js';

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
      const request = { route, query: { toolkit_slug: toolkit, limit: 100, cursor } };
      return readPage(requests, request, cursor, (value, place) => {
        const row = readFields<AuthConfig>(value, authConfigFields, place);
        if (row.toolkit) readFields(row.toolkit, refFields, within(place, 'toolkit'));
        return row;
      });
    },
    async createAuthConfig({ toolkit, kind, scheme, name, credentials }) {
      const named = name === undefined ? {} : { name };
      const config =
        kind === 'managed'
          ? { type: 'use_composio_managed_auth', ...named }
          : { type: 'use_custom_auth', authScheme: scheme, ...named, credentials: credentials ?? {} };
      const json = { toolkit: { slug: toolkit }, auth_config: config };
      const place = { route: `POST ${route}`, path: '' };
      const answer = readFields<{ auth_config: unknown }>(
        await requests.json({ method: 'POST', route, json }),
        [['auth_config', 'object!']],
        place,
      );
      const { id, auth_scheme } = readFields<AuthConfig>(
        answer.auth_config,
        authConfigFields,
        within(place, 'auth_config'),
      );
      return { id, scheme: auth_scheme ?? scheme };
    },
  };
}
