/** What a service says has happened to the issues of a repository of GitHub or of a team of Linear, in the words of both. */
import type { JsonObject } from '../../../domain/json.js';
import type { Reader } from '../sources/reader.js';
import type { News } from './news.js';

export interface Activity {
  /** As the service writes it: `github:acme/shop`, `linear:acme/ENG`. */
  readonly repo: string;
  readonly issues: readonly ActiveIssue[];
  /** What has happened since then is missing. */
  readonly until?: string;
}

export interface ActiveIssue {
  readonly ref: string;
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly labels: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly happened: readonly Happened[];
  /** Whether its text may have been another one at that time. */
  mayDiffer(at: string): boolean;
  /** What a delivery would have said. */
  tell(missed: Missed): News | undefined;
}

export interface Happened {
  readonly action: 'labeled' | 'closed' | 'reopened' | 'commented';
  readonly at: string;
  readonly label?: string;
  /** Who did it and what they said, as a delivery of the service says it. */
  readonly details: JsonObject;
}

export interface Missed {
  readonly action: Happened['action'] | 'opened' | 'edited' | 'unlabeled';
  readonly at: string;
  readonly label?: string;
  readonly details?: JsonObject;
  /** All labels that the issue had then. */
  readonly labels: readonly string[];
}

interface Asked {
  readonly repo: string;
  readonly since: string;
}

/** Undefined if it cannot be read. */
export type ReadActivity = (read: Reader, asked: Asked) => Promise<Activity | undefined>;
