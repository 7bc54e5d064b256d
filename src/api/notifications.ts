/** Notifications: where people are told what waits for them. */
import { z } from 'zod';
import { channelKinds, messageStates, notificationKinds } from '../domain/notifications.js';
import { namedShapes, principalRef, timestamp } from './shapes.js';

const kinds = z
  .array(z.enum(notificationKinds))
  .max(20)
  .describe(
    'approval: a call waits. account: connect it again. definition: a maker changed a tool. budget: nearly used up',
  );
const channelKind = z.enum(channelKinds);

export const newNotificationChannelBody = z.strictObject({
  kind: channelKind,
  name: z.string().min(1).max(100).describe('How people see it in the list'),
  connection: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Slug or id of the account that sends: of smtp for email, of slack for slack'),
  url: z.string().min(1).max(2_048).optional().describe('For a webhook: where messages go'),
});
namedShapes.add(newNotificationChannelBody, { id: 'NewNotificationChannel' });

export const notificationChannel = z.object({
  id: z.string(),
  kind: channelKind,
  name: z.string(),
  connection: z.string().optional().describe('Slug of the account; absent if it is gone or not yours to see'),
  origin: z.string().optional().describe('Where a webhook goes, without its path'),
  createdBy: principalRef.describe('With whose rights messages are sent'),
  createdAt: timestamp,
  problem: z.string().optional().describe('Why nothing can be sent'),
  buttons: z.boolean().optional().describe('For Slack: whether calls can be decided in its messages'),
  givenUp: z.int().describe('Messages of the last thirty days that were given up'),
});
namedShapes.add(notificationChannel, { id: 'NotificationChannel' });

export const changeNotificationChannelBody = z.strictObject({
  signingSecret: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .describe('For Slack: the signing secret of the app, with which calls can be decided in messages; null: no longer'),
});
namedShapes.add(changeNotificationChannelBody, { id: 'ChangeNotificationChannel' });

/** What Slack is told about a button that was pressed. */
export const slackAction = z.object({
  decided: z.boolean().describe('False for a button that decides nothing'),
  shown: z.boolean().describe('Whether Slack accepted what the person is shown now'),
});

export const notificationChannelList = z.object({ channels: z.array(notificationChannel) });
export const newNotificationChannel = z.object({
  channel: notificationChannel,
  secret: z.string().optional().describe('Signs the messages of a webhook; shown once'),
});

export const chooseNotificationsBody = z.strictObject({
  kinds,
  slackMember: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('Your own member id in Slack, U0123ABC. A code is sent to it, unless it is linked already'),
});
namedShapes.add(chooseNotificationsBody, { id: 'ChooseNotifications' });

export const notificationChoice = z.object({
  channelId: z.string(),
  kinds,
  address: z.string().optional().describe('Your e-mail address, or your member id in Slack'),
  confirmed: z.boolean().describe('Whether the code that was sent to the member of Slack has been entered'),
});
namedShapes.add(notificationChoice, { id: 'NotificationChoice' });

export const notificationChoiceList = z.object({ choices: z.array(notificationChoice) });
export const notificationCodeBody = z.strictObject({ code: z.string().min(1).max(40) });
export const notificationMessageList = z.object({
  messages: z.array(
    z.object({
      id: z.string(),
      channelId: z.string(),
      state: z.enum(messageStates),
      kinds,
      count: z.int().describe('How many events it reports'),
      attempts: z.int(),
      createdAt: timestamp,
      dueAt: timestamp,
      error: z.string().optional(),
    }),
  ),
});
