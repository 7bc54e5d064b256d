/**
 * The fields of a mailbox: its server, and a password or an OAuth access token. SMTP is not HTTP, so the tool itself
 * reads the credentials.
 */
import type { CredentialField, ToolkitAuth } from '../../domain/connection.js';

const where: readonly CredentialField[] = [
  {
    name: 'host',
    title: 'Server',
    description: 'smtp.example.com',
    secret: false,
    pattern: '^[A-Za-z0-9.:-]{1,253}$',
  },
  {
    name: 'port',
    title: 'Port',
    description: 'Default: 587, 465 with tls, 25 with none',
    secret: false,
    optional: true,
    pattern: '^[1-9]\\d{0,4}$',
  },
  {
    name: 'security',
    title: 'Encryption',
    description: 'starttls (default), tls, or none, which the operator must allow',
    secret: false,
    optional: true,
    pattern: '^(?:tls|starttls|none)$',
  },
];

const from: readonly CredentialField[] = [
  {
    name: 'from_address',
    title: 'Sender address',
    description: 'All mails come from it; a model cannot choose another',
    secret: false,
    pattern: '^[^\\s@<>"]+@[A-Za-z0-9.-]+$',
  },
  {
    name: 'from_name',
    title: 'Sender name',
    secret: false,
    optional: true,
    pattern: '^[^<>"@,;:\\\\()\\[\\]\\x00-\\x1f\\x7f]{1,100}$',
  },
];

const username = (optional: boolean): CredentialField => ({
  name: 'username',
  title: 'User name',
  secret: false,
  optional,
  pattern: '^[^\\x00-\\x1f\\x7f]{1,320}$',
});

export const smtpAuth: ToolkitAuth = {
  schemes: [
    {
      id: 'password',
      kind: 'custom',
      title: 'User name and password',
      exposed: true,
      // A relay in a private network may need neither user nor password.
      fields: [
        ...where,
        username(true),
        { name: 'password', title: 'Password', secret: true, optional: true },
        ...from,
      ],
    },
    {
      id: 'xoauth2',
      kind: 'custom',
      title: 'Access token (XOAUTH2)',
      exposed: true,
      fields: [
        ...where,
        username(false),
        {
          name: 'access_token',
          title: 'Access token',
          description: 'It is not renewed: use a token that does not expire, or that something else renews',
          secret: true,
          pattern: '^[\\x21-\\x7e]+$',
        },
        ...from,
      ],
    },
  ],
};
