/** For tests: the table's rows for notifications. The scene has a channel with the private account: `channel`. */
import type { ActByPrincipal } from '../../../domain/acts.js';
import type { NotificationActs } from '../../../domain/notifications.js';
import type { Row, Table } from './act-row.js';

const noPrincipal = { expired: 'no principal', revoked: 'no principal' } as const;
const personOnly = { account: 'forbidden', agent: 'forbidden', workspace: 'not_found', ...noPrincipal } as const;
const own = { account: 'nothing', agent: 'nothing', workspace: 'nothing', ...noPrincipal } as const;
const needsNone = { needs: { none: 'everyone chooses what they are told themselves' } };

export const notificationActs: Table<keyof NotificationActs> = {
  notificationChannels: {
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.notificationChannels(by),
    effect: 'shows',
    ...own,
  },
  // The account is of another app than SMTP.
  createNotificationChannel: {
    needs: ['users:write'],
    act: ({ plane, account }, by) =>
      plane.createNotificationChannel(by, { kind: 'email', name: 'Mail', connection: account }),
    effect: 'invalid_input',
    account: 'not_found',
    agent: 'forbidden',
    workspace: 'not_found',
    ...noPrincipal,
  },
  removeNotificationChannel: {
    needs: ['users:write'],
    act: ({ plane }, by) => plane.removeNotificationChannel(by, 'channel'),
    effect: 'changes',
    account: { none: 'whoever manages people manages every channel, and is shown no account of others' },
    agent: 'forbidden',
    workspace: 'not_found',
    ...noPrincipal,
  },
  notificationChoices: {
    ...needsNone,
    act: ({ plane }, by) => plane.notificationChoices(by),
    effect: 'answers',
    ...own,
  },
  chooseNotifications: {
    ...needsNone,
    act: ({ plane }, by) => plane.chooseNotifications(by, 'channel', { kinds: [] }),
    effect: 'changes',
    ...personOnly,
  },
  // No code was sent.
  confirmNotifications: {
    ...needsNone,
    act: ({ plane }, by) => plane.confirmNotifications(by, 'channel', '12345678'),
    effect: 'not_found',
    ...personOnly,
  },
  notificationMessages: {
    ...needsNone,
    act: ({ plane }, by) => plane.notificationMessages(by),
    effect: 'answers',
    ...own,
  },
} satisfies { readonly [Act in keyof NotificationActs]: Row<Act & ActByPrincipal> };
