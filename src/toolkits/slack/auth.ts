/** Signing in to Slack: as an app that a workspace installs, or with the token of an installed app. */
import type { Account, CredentialField, ToolkitAuth } from '../../domain/connection.js';
import type { ServiceClient } from '../../domain/service.js';
import { postRepeatable } from './api.js';
import { currentUserRecord } from './shapes/user.js';

const tokenField = (description: string, pattern: string): CredentialField => ({
  name: 'token',
  title: 'Token',
  description,
  secret: true,
  pattern,
});
const placement = [{ in: 'header', name: 'authorization', value: 'Bearer {token}' }] as const;

export const slackAuth: ToolkitAuth = {
  schemes: [
    {
      id: 'oauth2',
      kind: 'oauth2',
      title: 'Add to Slack',
      provider: 'slack',
      /** Requested but not required: they allow it to show the names of channels, and private ones. */
      scopes: [
        'channels:read',
        'groups:read',
        'groups:history',
        'im:read',
        'im:history',
        'mpim:read',
        'mpim:history',
        'groups:write',
        'mpim:write',
      ],
    },
    {
      id: 'bot_token',
      kind: 'bot_token',
      title: 'Bot token',
      fields: [
        tokenField('xoxb-…: "OAuth & Permissions" on the page of the Slack app.', '^xox[be][a-zA-Z0-9.-]{5,500}$'),
      ],
      placement,
    },
    {
      id: 'user_token',
      kind: 'api_key',
      title: 'User token',
      fields: [
        tokenField(
          'xoxp-…: acts as the person who installed the Slack app. Searching needs one, with the scope search:read.',
          '^xox[pe][a-zA-Z0-9.-]{5,500}$',
        ),
      ],
      placement,
    },
  ],
  identify,
};

async function identify(service: ServiceClient): Promise<Account> {
  const facts = await postRepeatable<object>(service, 'auth.test', {});
  const { team_id, user_id, user, team } = currentUserRecord.read(facts);
  // A person has a different id in each workspace, and a connection is for one workspace.
  return { id: `${team_id}:${user_id}`, name: `${user} (${team})` };
}
