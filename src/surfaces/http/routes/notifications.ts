/** Notifications: the channels of the workspace, and what the caller chose for themselves. */
import {
  changeNotificationChannelBody,
  chooseNotificationsBody,
  idParams,
  newNotificationChannel,
  newNotificationChannelBody,
  notificationChannel,
  notificationChannelList,
  notificationChoice,
  notificationChoiceList,
  notificationCodeBody,
  notificationMessageList,
  slackAction,
} from '../../../api/index.js';
import type { ChooseNotifications, NewNotificationChannel } from '../../../domain/notifications.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listNotificationChannels = defineRoute({
  method: 'GET',
  path: '/api/notification-channels',
  summary: 'Where people can be told what waits for them',
  acts: ['notificationChannels'],
  reply: notificationChannelList,
  handle: async ({ plane, principal }) => ({ channels: await plane.notificationChannels(principal) }),
});

export const createNotificationChannel = defineRoute({
  method: 'POST',
  path: '/api/notification-channels',
  summary: 'Set up e-mail, Slack or a webhook; messages are sent with the rights of the caller',
  acts: ['createNotificationChannel'],
  body: newNotificationChannelBody,
  reply: newNotificationChannel,
  status: 201,
  handle: ({ plane, principal, body }) =>
    plane.createNotificationChannel(principal, defined(body) as NewNotificationChannel),
});

export const changeNotificationChannel = defineRoute({
  method: 'PATCH',
  path: '/api/notification-channels/:id',
  summary: 'Start or stop letting people decide calls in the messages of a Slack channel',
  acts: ['changeNotificationChannel'],
  params: idParams,
  body: changeNotificationChannelBody,
  reply: notificationChannel,
  handle: ({ plane, principal, params, body }) => plane.changeNotificationChannel(principal, params.id, body),
});

export const receiveSlackAction = defineRoute({
  method: 'POST',
  path: '/api/webhooks/slack',
  summary: 'Where Slack tells which button somebody has pressed, signed with the signing secret of the app',
  acts: ['receiveSlackAction'],
  reply: slackAction,
  async handle({ plane, request }) {
    // The signature covers the exact bytes.
    return plane.receiveSlackAction({ body: new Uint8Array(await request.arrayBuffer()), headers: request.headers });
  },
});

export const removeNotificationChannel = defineRoute({
  method: 'DELETE',
  path: '/api/notification-channels/:id',
  summary: 'Remove a channel, with what people chose for it',
  acts: ['removeNotificationChannel'],
  params: idParams,
  async handle({ plane, principal, params }) {
    await plane.removeNotificationChannel(principal, params.id);
    return undefined;
  },
});

export const listNotificationChoices = defineRoute({
  method: 'GET',
  path: '/api/notifications',
  summary: 'What you are told, and through which channels',
  acts: ['notificationChoices'],
  reply: notificationChoiceList,
  handle: async ({ plane, principal }) => ({ choices: await plane.notificationChoices(principal) }),
});

export const chooseNotifications = defineRoute({
  method: 'PUT',
  path: '/api/notifications/:id',
  summary: 'Choose what you are told through a channel',
  acts: ['chooseNotifications'],
  params: idParams,
  body: chooseNotificationsBody,
  reply: notificationChoice,
  handle: ({ plane, principal, params, body }) =>
    plane.chooseNotifications(principal, params.id, defined(body) as ChooseNotifications),
});

export const confirmNotifications = defineRoute({
  method: 'POST',
  path: '/api/notifications/:id/code',
  summary: 'Enter the code that Slack shows you, so that your member of Slack is linked to you',
  acts: ['confirmNotifications'],
  params: idParams,
  body: notificationCodeBody,
  reply: notificationChoice,
  handle: ({ plane, principal, params, body }) => plane.confirmNotifications(principal, params.id, body.code),
});

export const listNotificationMessages = defineRoute({
  method: 'GET',
  path: '/api/notification-messages',
  summary: 'The last fifty messages to you, and their outcomes',
  acts: ['notificationMessages'],
  reply: notificationMessageList,
  handle: async ({ plane, principal }) => ({ messages: await plane.notificationMessages(principal) }),
});
