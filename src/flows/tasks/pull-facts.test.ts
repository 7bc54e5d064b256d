import { describe, expect, it } from 'vitest';
import type { ActorEvent } from '../../domain/actor-host.js';
import { machines, type PrContext } from '../../tasks/index.js';
import { findPullNews, type PullReading } from './pull-facts.js';

const [old, head] = ['a'.repeat(40), 'b'.repeat(40)];
const at = '2026-11-26T10:00:00Z';
const pull = { state: 'open', merged: false, draft: false, head: { sha: head }, mergeable: true, updated_at: at };
const run = (name: string, conclusion?: string) => {
  const end = conclusion === undefined ? {} : { conclusion, completed_at: at };
  return { id: 1, name, status: conclusion === undefined ? 'in_progress' : 'completed', started_at: at, ...end };
};
const review = (state: string, more = {}) => {
  const by = { author: 'ann', author_association: 'MEMBER' };
  return { ...by, state, commit_sha: head, submitted_at: at, ...more };
};

/** What the actor knows after it has been told these, and what a reading adds. */
function read(reading: Partial<PullReading>, ...told: readonly ActorEvent[]) {
  const from = machines.pr.initial({ id: 'github:acme/shop#7', issue: 'i', head });
  const snapshot = told.reduce((now, event) => machines.pr.transition(now, event)[0], from);
  const newsOf = (now: typeof snapshot) => {
    const known = { ...(now.context as unknown as PrContext), state: String(now.value) };
    return findPullNews({ pull, runs: [], reviews: [], ...reading }, known);
  };
  const news = newsOf(snapshot);
  const after = news.reduce((now, event) => machines.pr.transition(now, event)[0], snapshot);
  return { news: news.map(({ type }) => type), after, again: newsOf(after).map(({ type }) => type) };
}

const free = { type: 'CONFLICTS_CHECKED', mergeable: true };

describe('R-machines: a pull request that is read', () => {
  it('tells nothing that is known', () => {
    expect(read({}, free).news).toEqual([]);
    const runs = [run('ci', 'success'), run('lint')];
    expect(read({ runs }, free).again).toEqual([]);
    expect(read({ reviews: [review('APPROVED')] }, free).again).toEqual([]);
  });

  it('tells of a push, of the checks of its commit, of reviews, of a draft and of conflicts', () => {
    const told = { type: 'CHECK_UPDATED', name: 'ci', state: 'success', head: old, order: `${at} x` };
    const approved = { type: 'REVIEW_SUBMITTED', reviewer: 'ann', verdict: 'approved', order: `${at} x` };
    const reading = { runs: [run('ci', 'failure')], reviews: [review('CHANGES_REQUESTED')] };
    const { news, after } = read(reading, { type: 'COMMITS_PUSHED', head: old }, told, approved);
    expect(news).toEqual(['COMMITS_PUSHED', 'CHECK_UPDATED', 'REVIEW_SUBMITTED', 'CONFLICTS_CHECKED']);
    expect(after.context).toMatchObject({
      head,
      checks: { ci: 'failure' },
      review: { approvals: [], changesRequested: ['ann'] },
      mergeable: true,
    });
    expect(read({ pull: { ...pull, draft: true } }, free).news).toEqual(['CONVERTED_TO_DRAFT']);
  });

  it('counts an approval only for the commit that was reviewed, and only the last word of a reviewer', () => {
    expect(read({ reviews: [review('APPROVED', { commit_sha: old })] }, free).news).toEqual([]);
    const changed = [review('CHANGES_REQUESTED'), review('APPROVED'), review('COMMENTED')];
    expect(read({ reviews: changed }, free).after.context.review).toEqual({ approvals: ['ann'], changesRequested: [] });
    const dismissed = read({ reviews: [review('DISMISSED')] }, free, {
      type: 'REVIEW_SUBMITTED',
      reviewer: 'ann',
      verdict: 'changes_requested',
    });
    expect(dismissed.after.context.review).toEqual({ approvals: [], changesRequested: [] });
  });

  it('attack: nobody who does not belong to the repository approves, refuses, or takes back what a member said', () => {
    const stranger = { author_association: 'CONTRIBUTOR' };
    for (const state of ['APPROVED', 'CHANGES_REQUESTED'])
      expect(read({ reviews: [review(state, stranger)] }, free).news).toEqual([]);
    const later = review('APPROVED', { ...stranger, author: 'mallory' });
    expect(read({ reviews: [review('CHANGES_REQUESTED'), later] }, free).after.context.review).toEqual({
      approvals: [],
      changesRequested: ['ann'],
    });
  });

  it('tells of its end, and of one that was taken back', () => {
    expect(read({ pull: { ...pull, state: 'closed' } }, free).news).toEqual(['CLOSED']);
    expect(read({ pull: { ...pull, state: 'closed', merged: true } }, free).after.value).toBe('merged');
    const closed = { type: 'CLOSED' };
    expect(read({}, free, closed)).toMatchObject({ news: ['REOPENED'], after: { value: 'open' } });
    expect(read({ pull: { ...pull, state: 'closed' } }, free, closed).news).toEqual([]);
  });

  it('changes nothing if a delivery has told of something later', () => {
    const later = '2026-11-26T11:00:00Z';
    const { after } = read(
      { pull: { ...pull, head: { sha: old } } },
      { type: 'COMMITS_PUSHED', head: 'c'.repeat(40), order: `${later} x` },
    );
    expect(after.context.head).toBe('c'.repeat(40));
  });
});
