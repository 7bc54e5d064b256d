/** Deciding calls with buttons in messages of Slack. */
import type { WebhookDelivery } from './task-source.js';

/** A message in Slack whose buttons decide. */
export interface ShownMessage {
  /** Names the message in its conversation. */
  readonly ts: string;
  /** SHA-256 of each form in which Helve has shown it: a button of a message that shows anything else decides nothing. */
  readonly forms: readonly string[];
}

/** The result of pressing a button. */
export interface PressOutcome {
  /** False for a button that decides nothing, like one that opens a page. */
  readonly decided: boolean;
  /** Whether Slack accepted the new content of the message. */
  readonly shown: boolean;
}

export interface ButtonActs {
  /**
   * Decides a call as the person to whom the member of Slack is linked. Throws `unauthenticated` for what Slack has not signed, signed
   * more than five minutes ago, or sent before; `forbidden` for a button that Helve has not sent to this member, or a person who may
   * not decide; `conflict` if there is nothing left to decide.
   */
  receiveSlackAction(delivery: WebhookDelivery): Promise<PressOutcome>;
}
