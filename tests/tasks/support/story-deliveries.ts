/** What GitHub delivers about the issue of a story, as it recorded it, with numbers of its own. */
import { recorded, repository } from '../../../src/flows/tasks/webhooks/testing/github.js';

export interface Place {
  /** Number of the issue. */
  readonly issue: number;
  /** Number of the pull request. */
  readonly pull: number;
}

/** The commit that the second attempt pushes. */
export const pushed = 'b'.repeat(40);
export const refOf = (issue: number): string => `github:${repository}#${issue}`;
export const titleOf = (issue: number): string => `Story ${issue} begins`;

const issueOf = (issue: number) => ({ id: 1_000_000 + issue, number: issue, title: titleOf(issue) });

export const opened = ({ issue }: Place) => recorded('issues', 'opened', { issue: issueOf(issue) });

export const assigned = ({ issue }: Place) =>
  recorded('issue_comment', 'created', {
    issue: issueOf(issue),
    comment: { id: 2_000_000 + issue, body: '/helve assign worker' },
  });

const pullOf = ({ issue, pull }: Place) => ({ id: 3_000_000 + issue, number: pull, body: `Fixes #${issue}` });

export const proposed = (place: Place) => recorded('pull_request', 'opened', { pull_request: pullOf(place) });

export const synchronized = (place: Place) =>
  recorded('pull_request', 'synchronize', {
    pull_request: { ...pullOf(place), head: { sha: pushed }, updated_at: '2019-05-15T16:00:00Z' },
  });

/** A check of the pull request has ended. `head`: the commit, if that is not the first. */
export function checked({ issue, pull }: Place, conclusion: 'failure' | 'success', head?: string) {
  const { check_run } = recorded('check_run', 'completed') as unknown as { check_run: { pull_requests: object[] } };
  const pull_requests = check_run.pull_requests.map((one) => ({ ...one, number: pull }));
  const facts = { id: 4_000_000 + issue, conclusion, status: 'completed', pull_requests };
  return recorded('check_run', 'completed', {
    check_run: { ...facts, ...(head === undefined ? {} : { head_sha: head }) },
  });
}
