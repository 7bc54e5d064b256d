/**
 * Notifications: people are notified about what waits for them. An admin sets up channels; each person chooses which
 * kinds to receive through which channel, and learns only about what they may see and decide.
 */
import type { AuditDraft } from './audit.js';
import type { ButtonActs, ShownMessage } from './notification-buttons.js';
import type { Principal, PrincipalRef } from './principal.js';

export const notificationKinds = ['approval', 'account', 'definition', 'budget'] as const;
/**
 * `approval`: a call waits for a decision. `account`: an account needs to be connected again. `definition`: a tool's maker changed
 * its definition, and it is not called until somebody agrees. `budget`: an organisation has used up most of a limit.
 */
export type NotificationKind = (typeof notificationKinds)[number];

export const channelKinds = ['email', 'slack', 'webhook'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** A channel as it is kept. The address of a webhook, and what signs, are in the vault. */
export interface NotificationChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  /** The account that sends: of `smtp` or of `slack`. Absent for a webhook. */
  readonly connectionId?: string;
  /** Where a webhook goes, without its path, which often is a secret. */
  readonly origin?: string;
  /** The person or key that made it, with whose rights messages are sent. */
  readonly createdBy: PrincipalRef;
  readonly createdAt: string;
}

/** What a person chose for one channel. */
export interface NotificationChoice {
  readonly userId: string;
  readonly channelId: string;
  readonly kinds: readonly NotificationKind[];
  readonly slack?: SlackLink;
}

/** Which member of Slack the person is. */
export interface SlackLink {
  readonly member: string;
  /** The direct conversation with the member. */
  readonly conversation: string;
  /** When the person entered the code that was sent to the member. Until then nothing else is sent there. */
  readonly confirmedAt?: string;
  readonly codeHash?: string;
  readonly codeExpiresAt?: string;
  readonly wrongCodes?: number;
}

/** One thing that a person is told. */
export interface Notice {
  readonly kind: NotificationKind;
  /** What it is about, unique in the workspace: `approval:<id>`, `account:<id>`. */
  readonly key: string;
  readonly at: string;
}

export const messageStates = ['gathering', 'sending', 'sent', 'given_up'] as const;
export type MessageState = (typeof messageStates)[number];

/** What one person is told at once through one channel. */
export interface NotificationMessage {
  readonly id: string;
  readonly userId: string;
  readonly channelId: string;
  readonly state: MessageState;
  /** When it is sent, or tried again. While it is being sent: when another process may take it over. */
  readonly dueAt: string;
  /** How often sending began. */
  readonly attempts: number;
  readonly notices: readonly Notice[];
  readonly createdAt: string;
  /** When the first attempt began that may have reached the person although no answer came. */
  readonly doubtfulSince?: string;
  /** Why the last attempt failed. */
  readonly error?: string;
  /** If calls can be decided in it, with buttons. */
  readonly shown?: ShownMessage;
}

export interface NewNotificationChannel {
  readonly kind: ChannelKind;
  /** How people see it in the list. */
  readonly name: string;
  /** Slug or id of the account that sends: of `smtp` for e-mail, of `slack` for Slack. */
  readonly connection?: string;
  /** For a webhook: where it goes. */
  readonly url?: string;
}

export interface NotificationChannelView extends Omit<NotificationChannel, 'connectionId'> {
  /** The slug of the account; absent for those who may not see it. */
  readonly connection?: string;
  /** Why nothing can be sent. */
  readonly problem?: string;
  /** Messages of the last thirty days that were given up. */
  readonly givenUp: number;
  /** For Slack: whether calls can be decided in its messages. */
  readonly buttons?: boolean;
}

export interface NotificationChoiceView {
  readonly channelId: string;
  readonly kinds: readonly NotificationKind[];
  /** Where it arrives: the person's address, or the id of a member of Slack. */
  readonly address?: string;
  /** False while the code that was sent to the member of Slack has not been entered. */
  readonly confirmed: boolean;
}

export interface NotificationMessageView
  extends Pick<NotificationMessage, 'id' | 'channelId' | 'state' | 'attempts' | 'createdAt' | 'dueAt' | 'error'> {
  readonly kinds: readonly NotificationKind[];
  readonly count: number;
}

export interface ChooseNotifications {
  /** Empty: nothing more is sent there. */
  readonly kinds: readonly NotificationKind[];
  /** For Slack: the person's own member id, `U0123ABC`. A code is sent to it, unless it is the one already linked. */
  readonly slackMember?: string;
}

export interface ChangeNotificationChannel {
  /** For Slack: the signing secret of the app, with which calls can be decided in messages. Null: no longer. Never shown again. */
  readonly signingSecret: string | null;
}

export interface NotificationActs extends ButtonActs {
  notificationChannels(principal: Principal): Promise<readonly NotificationChannelView[]>;
  /**
   * `secret`: what signs a webhook, only in this answer. Throws `not_found` for an account that the caller cannot see, and
   * `invalid_input` for one of another app.
   */
  createNotificationChannel(
    principal: Principal,
    channel: NewNotificationChannel,
  ): Promise<{ readonly channel: NotificationChannelView; readonly secret?: string }>;
  /** Throws `not_found`, and `invalid_input` for a channel that is not of Slack. */
  changeNotificationChannel(
    principal: Principal,
    id: string,
    change: ChangeNotificationChannel,
  ): Promise<NotificationChannelView>;
  /** Also removes what people chose for it. Throws `not_found`. */
  removeNotificationChannel(principal: Principal, id: string): Promise<void>;
  /** The caller's own. */
  notificationChoices(principal: Principal): Promise<readonly NotificationChoiceView[]>;
  /** Throws `not_found`, and `forbidden` unless the caller is a person. */
  chooseNotifications(
    principal: Principal,
    channelId: string,
    choice: ChooseNotifications,
  ): Promise<NotificationChoiceView>;
  /** Enters the code that was sent to the member of Slack. Throws `invalid_input` for a wrong one, `expired`, `not_found`. */
  confirmNotifications(principal: Principal, channelId: string, code: string): Promise<NotificationChoiceView>;
  /** The caller's own messages, newest first, at most fifty. */
  notificationMessages(principal: Principal): Promise<readonly NotificationMessageView[]>;
}

export interface NotificationTable {
  listChannels(): Promise<readonly NotificationChannel[]>;
  listChoices(): Promise<readonly NotificationChoice[]>;
  /** What has been reported, and until when that is remembered (ISO 8601). */
  readTold(): Promise<ToldNotices>;
  /**
   * Remembers what has been reported, and adds the notices to the messages that gather for the same people and
   * channels, in one commit. False, and nothing is written, if another process was first.
   */
  tell(told: ToldNotices, notices: readonly NewNotice[], times: { now: string; dueAt: string }): Promise<boolean>;
  /** Takes one message that is due, for this caller alone until `until`. Counts the attempt. */
  claim(now: string, until: string): Promise<NotificationMessage | undefined>;
  /** Writes what became of a claimed message. False if it was taken over meanwhile. */
  settle(message: NotificationMessage, events: readonly AuditDraft[]): Promise<boolean>;
  findMessage(id: string): Promise<NotificationMessage | undefined>;
  /** Adds a form in which a sent message is shown from now on. Does nothing if the message is no longer stored. */
  addShown(id: string, hash: string): Promise<void>;
  /** Newest first. */
  listMessages(filter: {
    readonly userId?: string;
    readonly state?: MessageState;
    readonly limit: number;
  }): Promise<readonly NotificationMessage[]>;
}

export interface ToldNotices {
  /** Version of the state that was read; 0 if there is none. */
  readonly version: number;
  readonly told: Readonly<Record<string, string>>;
}

export interface NewNotice extends Notice {
  readonly userId: string;
  readonly channelId: string;
}

/** Written inside a change of the configuration. */
export interface NotificationChanges {
  insertNotificationChannel(channel: NotificationChannel): Promise<void>;
  /** Also deletes what people chose for it, and what waits to be sent. False if there is none. */
  deleteNotificationChannel(id: string): Promise<boolean>;
  putNotificationChoice(choice: NotificationChoice): Promise<void>;
}

/** The subject of its secret in the vault. */
export const notificationSubject = (id: string): string => `notification_channel:${id}`;
