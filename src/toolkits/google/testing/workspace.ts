/** A plane with one account of Google Workspace, called `work`, whose services are all at one address. */
import { googleGmail, googleWorkspace } from '../index.js';

export const workspaceAt = (baseUrl: string, token = 'ya29.of-the-emulator') =>
  ({
    nativeToolkits: [googleWorkspace, googleGmail],
    config: `toolkits:\n  google_workspace:\n    base_url: ${baseUrl}\n`,
    connections: [
      {
        toolkit: 'google_workspace',
        name: 'Work',
        scheme: 'oauth2',
        credentials: { access_token: token },
        check: true,
      },
    ],
    // Destructive ones are denied unless a policy allows them.
    policies: [{ id: 'all', effect: 'allow', when: {} }],
    resultMaxChars: 10_000_000,
  }) as const;
