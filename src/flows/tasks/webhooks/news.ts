/** What a delivery of a service says, in the words of tasks. Texts in it were written by strangers: they are data. */
import type { ActorEvent } from '../../../domain/actor-host.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Issue } from '../../../domain/task.js';
import type { WebhookDelivery, WebhookProvider } from '../../../domain/task-source.js';

/** A repository of GitHub, or a team of Linear. */
export interface Place {
  /** `github:acme/shop`, `linear:acme/ENG`. */
  readonly repo: string;
  /** `github:acme`. */
  readonly org: string;
}

/** An issue as the service describes it now. */
export interface FiledIssue {
  readonly ref: string;
  readonly title: string;
  /** Absent, as the labels, if the delivery does not say. */
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly author: string | undefined;
  readonly url: string;
  /** When it last changed, as ISO 8601 that sorts as text; empty if the delivery does not say. */
  readonly changedAt: string;
}

export interface FiledComment {
  /** Of the service, unique there. */
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly at: string;
  /** Whether the author may give orders where the issue was filed. */
  readonly mayCommand: boolean;
}

export interface IssueNews {
  readonly about: 'issue';
  readonly place: Place;
  /** As in a trigger of a repository: `issues.opened`. */
  readonly event: string;
  readonly issue: FiledIssue;
  /** What rules are matched with; default: all labels of the issue. */
  readonly labels?: readonly string[];
  readonly isNew: boolean;
  /** `reopened` only by somebody who may give orders. */
  readonly change?: 'closed' | 'reopened';
  readonly comment?: FiledComment;
  /** Who edited or reopened it, and whether they may assign an agent there; absent if it is something else, or not known. */
  readonly sender?: { readonly login: string; readonly mayAssign: boolean };
  /** What an edit of the text replaced. */
  readonly former?: Partial<Pick<Issue, 'title' | 'body'>>;
  /**
   * Who did it, by the id at the service, where what an agent does with an account cannot be told from what its person does: an
   * account that is connected here gives no orders.
   */
  readonly by?: string;
  /** Whether the issue may have said something else when it happened. */
  readonly isLate?: boolean;
  /** Facts of the signed body that tell this from all other news. */
  readonly key: string;
}

export interface PullNews {
  readonly about: 'pull_request';
  readonly place: Place;
  readonly event: string;
  /** Each as the repository's machine takes it: `ref`, and what is known besides. */
  readonly subjects: readonly (JsonObject & { readonly ref: string })[];
  /** What the pull requests are told. */
  readonly tell: readonly ActorEvent[];
  /** Whether an unknown pull request is followed if the repository follows pull requests. */
  readonly opens: boolean;
  readonly key: string;
}

export type News = IssueNews | PullNews;

/** How the deliveries of one service are read. Everything is from the signed body, nothing from other headers. */
export interface WebhookReader {
  readonly provider: WebhookProvider;
  /** The scopes of sources that it can belong to, the narrowest first. Reads an unsigned body, and must not throw. */
  scopes(body: JsonObject): readonly string[];
  /**
   * Whether the delivery is of a kind that tasks never need and names nothing that a source could belong to: a service that sends
   * those too, and gets refusals, stops sending at all. Reads an unsigned body, and must not throw.
   */
  ignores(body: JsonObject): boolean;
  /** The repository or team that a signed body is about, also if it tells nothing that tasks need. */
  placeOf(body: JsonObject): Place | undefined;
  /** Whether the bytes were signed with the secret. Takes the same time for every wrong signature. */
  isSigned(delivery: WebhookDelivery, secret: string): boolean;
  /** Throws `unauthenticated` for a signed body that is too old. */
  requireFresh?(body: JsonObject, now: Date): void;
  /**
   * Undefined for a delivery that tasks do not need. Throws `invalid_input` for a body that does not match the
   * service's documentation.
   */
  read(body: JsonObject): News | undefined;
}

/** `order` of an event: see `tasks/in-order.ts`. */
export const orderOf = (time: string, key: string): string => `${time} ${key}`;
