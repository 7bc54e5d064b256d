/** The tables of notifications. */
import type { MessageState } from '../domain/notifications.js';
import type { TenantRow } from './tenant-row.js';

export interface NotificationChannelRow extends TenantRow {
  id: string;
  /** Its other fields, as JSON. */
  fields: string;
  created_at: string;
}

export interface NotificationChoiceRow extends TenantRow {
  user_id: string;
  channel_id: string;
  fields: string;
}

export interface NotificationMessageRow extends TenantRow {
  id: string;
  user_id: string;
  channel_id: string;
  state: MessageState;
  due_at: string;
  attempts: number;
  fields: string;
  created_at: string;
}

export interface NotificationToldRow extends TenantRow {
  version: number;
  told: string;
}

export interface NotificationSchema {
  notification_channels: NotificationChannelRow;
  notification_choices: NotificationChoiceRow;
  notification_messages: NotificationMessageRow;
  notification_told: NotificationToldRow;
}
