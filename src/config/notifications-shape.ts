/** The part `notifications` of `helve.yaml`: how long news are gathered before people are told. */
import { z } from 'zod';
import { defaultNotifications } from './defaults.js';

export const notificationsShape = z
  .strictObject({
    gather_seconds: z
      .number()
      .min(0)
      .max(3_600)
      .default(defaultNotifications.gatherMs / 1_000),
  })
  .prefault({});

export interface NotificationSettings {
  /** How long further news for the same person are gathered into one message, in milliseconds. */
  readonly gatherMs: number;
}

export const readNotifications = ({ gather_seconds }: z.infer<typeof notificationsShape>): NotificationSettings => ({
  gatherMs: Math.round(gather_seconds * 1_000),
});
