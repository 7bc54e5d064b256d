/** Task sources: where issues come from (a repository of GitHub, a team of Linear), and where what becomes of them is written. */
import type { Principal, PrincipalRef } from './principal.js';
import type { Check } from './task.js';

export const taskSourceProviders = ['github', 'linear'] as const;
export type TaskSourceProvider = (typeof taskSourceProviders)[number];

/** A source as it is kept. Its secret, with which its deliveries are signed, is in the vault. */
export interface TaskSource {
  readonly id: string;
  readonly provider: TaskSourceProvider;
  /** GitHub: `acme` or `acme/shop`. Linear: the key of a team, `ENG`, or the organisation as in its addresses, `acme`. */
  readonly scope: string;
  /** Id of the account with which outcomes are written back. */
  readonly connectionId: string;
  /** The person or key for whom agents work that are assigned through this source. */
  readonly createdBy: PrincipalRef;
  readonly createdAt: string;
  /** How the work on its issues is verified. */
  readonly checks: readonly Check[];
}

export interface TaskSourceView extends Omit<TaskSource, 'connectionId'> {
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
  /** Slug or id of an account that the caller may see. */
  readonly connection: string;
  /** At least 16 characters. Default: a new one. */
  readonly secret?: string;
  readonly checks?: readonly Check[];
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
   * The secret is in the answer, and nowhere else afterwards. Throws `not_found` for an account that the caller cannot see,
   * `invalid_input` for one of another app, and `conflict` if the workspace has a source for this scope.
   */
  createTaskSource(
    principal: Principal,
    source: NewTaskSource,
  ): Promise<{ readonly source: TaskSourceView; readonly secret: string }>;
  /** Its deliveries are refused from now on. Its issues stay. Throws `not_found`. */
  deleteTaskSource(principal: Principal, id: string): Promise<void>;
  /**
   * Takes a delivery of a service. `accepted`: whether it says something that somebody here waits for. Throws `unauthenticated`,
   * and writes nothing, unless a source for what it is about has signed it.
   */
  receiveWebhook(provider: TaskSourceProvider, delivery: WebhookDelivery): Promise<{ readonly accepted: boolean }>;
}

export interface TaskSourceTable {
  /** In the order in which they were made. */
  list(): Promise<readonly TaskSource[]>;
  find(id: string): Promise<TaskSource | undefined>;
}

/** The subject of its secret in the vault. */
export const taskSourceSubject = ({ id }: Pick<TaskSource, 'id'>): string => `task_source:${id}`;
