/** For tests: the table's rows for notifications. The scene has a channel with the private account: `channel`. */
import type { ActByPrincipal } from '../../../domain/acts.js';
import type { NotificationActs } from '../../../domain/notifications.js';
import { allPermissions } from '../../../domain/principal.js';
import type { Row, Table } from './act-row.js';

const noPrincipal = { expired: 'no principal', revoked: 'no principal' } as const;
const personOnly = { account: 'forbidden', agent: 'forbidden', workspace: 'not_found', ...noPrincipal } as const;
const own = { account: 'nothing', agent: 'nothing', workspace: 'nothing', ...noPrincipal } as const;
const needsNone = { needs: { none: 'everyone chooses what they are told themselves' } };

const button = (words: string) => ({ file: 'src/flows/notifying/slack/buttons.test.ts', words });

/** Nobody has signed it. */
const aPress = Buffer.from(
  new URLSearchParams({
    payload: JSON.stringify({
      type: 'block_actions',
      user: { id: 'U1' },
      actions: [{ value: JSON.stringify(['w', 'channel', 'm', 'a', 'approved', 'code']) }],
    }),
  }).toString(),
);

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
  // The channel is not of Slack.
  changeNotificationChannel: {
    needs: allPermissions,
    act: ({ plane }, by) => plane.changeNotificationChannel(by, 'channel', { signingSecret: null }),
    effect: 'invalid_input',
    account: { none: 'the channel decides it, and is shown without accounts of others' },
    agent: 'forbidden',
    workspace: 'not_found',
    ...noPrincipal,
  },
  receiveSlackAction: {
    needs: { none: 'Slack signs it, and the member who pressed is linked to a person' },
    act: ({ plane }) => plane.receiveSlackAction({ body: aPress, headers: new Headers() }),
    effect: 'unauthenticated',
    account: button('may no longer decide'),
    agent: { none: 'it takes no caller' },
    workspace: button('another workspace'),
    expired: button('too old'),
    revoked: button('disabled'),
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
