/** The filter of issues: its names in the address of the page, and what is asked for. */
import type { RequestOptions } from '../server/request.js';
import { issueStates } from './issue-state.js';

const issueFilterNames = ['state', 'q', 'agent', 'person', 'project', 'repo'] as const;

export type IssueFilter = { readonly [Name in (typeof issueFilterNames)[number]]?: string | undefined };
export type IssueQuery = NonNullable<RequestOptions<'GET /api/issues'>['query']>;

/** A state that does not exist is no filter. */
export function readIssueFilter({ state, q: words, ...filter }: IssueFilter): IssueQuery {
  return { ...filter, text: words, state: issueStates.find((each) => each === state) };
}

export const isFiltered = (filter: IssueFilter): boolean => issueFilterNames.some((name) => filter[name] !== undefined);
