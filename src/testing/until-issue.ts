/** For tests: waits until an issue is in a wanted state. */
import type { IssueView } from '../domain/issue-acts.js';
import type { TestHelve } from './test-helve.js';

/** Follows the issue and returns it as soon as it fits. Throws after 100 seconds, with the issue as it is then. */
export async function untilIssue(
  { plane, admin }: Pick<TestHelve, 'plane' | 'admin'>,
  id: string,
  fits: (issue: IssueView) => boolean,
): Promise<IssueView> {
  for await (const issue of plane.followIssue(admin, id, AbortSignal.timeout(100_000))) if (fits(issue)) return issue;
  throw new Error(`It never came: ${JSON.stringify(await plane.getIssue(admin, id))}`);
}
