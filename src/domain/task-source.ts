/**
 * Task sources: where issues come from (a repository of GitHub, a team of Linear, the events of a subscription), and
 * where their outcome is written.
 */
import type { Principal, PrincipalRef } from './principal.js';
import type { Check } from './task.js';

/** Services that deliver to an address of their own, signed with the secret of a source. */
const webhookProviders = ['github', 'linear'] as const;
export type WebhookProvider = (typeof webhookProviders)[number];
export const taskSourceProviders = [...webhookProviders, 'trigger'] as const;
export type TaskSourceProvider = (typeof taskSourceProviders)[number];

/** What an event of a subscription opens. Texts may have values of its payload in them: `{{issue.title}}`. */
export interface TriggerRule {
  /**
   * From the path of a value in the payload, `issue.priority`, to what it must be, or the values of which it must be one. All must
   * hold. Default: every event.
   */
  readonly if?: Readonly<Record<string, MatchedValue | readonly MatchedValue[]>>;
  readonly title: string;
  readonly text?: string;
  readonly repo?: string;
  readonly project?: string;
  readonly labels?: readonly string[];
  /** The agent that the issue is assigned to, by name. */
  readonly assign?: string;
}

export type MatchedValue = string | number | boolean | null;

/** A stored rule. It refers to the agent itself, not to another agent that later gets the name. */
export interface StoredTriggerRule extends TriggerRule {
  readonly agentId?: string;
}

/** A source as it is kept. Its secret, with which its deliveries are signed, is in the vault. */
export interface TaskSource {
  readonly id: string;
  readonly provider: TaskSourceProvider;
  /**
   * GitHub: `acme` or `acme/shop`. Linear: the key of a team, `ENG`, or the organisation as in its addresses, `acme`. Trigger: the
   * id of a subscription.
   */
  readonly scope: string;
  /** Id of the account with which outcomes are written back; for a trigger, the account of its subscription. */
  readonly connectionId: string;
  /** The person or key for whom agents work that are assigned through this source. */
  readonly createdBy: PrincipalRef;
  readonly createdAt: string;
  /** How the work on its issues is verified. */
  readonly checks: readonly Check[];
  /** For a trigger: the first rule that matches an event opens an issue. */
  readonly rules?: readonly StoredTriggerRule[];
}

export interface TaskSourceView extends Omit<TaskSource, 'connectionId' | 'rules'> {
  readonly rules?: readonly TriggerRule[];
  /** The slug of the account; absent if the account is gone. */
  readonly connection?: string;
  /** Where the service has to send its deliveries; absent while the address of this server is unknown. */
  readonly webhookUrl?: string;
  /** Why the source does not work, or works only in part. */
  readonly problem?: string;
}

export interface NewTaskSource {
  readonly provider: TaskSourceProvider;
  readonly scope: string;
  /** Slug or id of an account that the caller may see. For a trigger there is none: it is that of the subscription. */
  readonly connection?: string;
  /** At least 16 characters. Default: a new one. */
  readonly secret?: string;
  readonly checks?: readonly Check[];
  /** Only for a trigger, which needs at least one. */
  readonly rules?: readonly TriggerRule[];
}

/** The bytes of a delivery, before anything has parsed them. */
export interface WebhookDelivery {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

export interface TaskSourceActs {
  listTaskSources(principal: Principal): Promise<readonly TaskSourceView[]>;
  /** Throws `not_found`. */
  getTaskSource(principal: Principal, id: string): Promise<TaskSourceView>;
  /**
   * The secret is in the answer, and nowhere else afterwards; a trigger has none. `notice`: that the name of a repository could not be
   * checked. Throws `not_found` for an account or a subscription that the caller cannot see, `invalid_input` for one of another app, and
   * for a repository that does not exist, with the nearest name, and `conflict` if the workspace has a source for this scope.
   */
  createTaskSource(
    principal: Principal,
    source: NewTaskSource,
  ): Promise<{ readonly source: TaskSourceView; readonly secret?: string; readonly notice?: string }>;
  /** Its deliveries are refused from now on. Its issues stay. Throws `not_found`. */
  deleteTaskSource(principal: Principal, id: string): Promise<void>;
  /**
   * Takes a delivery of a service. `accepted`: whether somebody here waits for what it says. Throws `unauthenticated`,
   * and writes nothing, unless a source for what it is about has signed it.
   */
  receiveWebhook(provider: WebhookProvider, delivery: WebhookDelivery): Promise<{ readonly accepted: boolean }>;
}

export interface TaskSourceTable {
  /** In the order in which they were made. */
  list(): Promise<readonly TaskSource[]>;
  find(id: string): Promise<TaskSource | undefined>;
}

/** The subject of its secret in the vault. */
export const taskSourceSubject = ({ id }: Pick<TaskSource, 'id'>): string => `task_source:${id}`;
