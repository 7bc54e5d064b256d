/** `wait_for_issue`: waits until the state of an issue changes, or a limited time has passed. */
import { z } from 'zod';
import { issueParams } from '../../api/index.js';
import { HelveError } from '../../domain/errors.js';
import type { IssueView } from '../../domain/issue-acts.js';
import type { Plane } from '../../domain/plane.js';
import type { OwnCall } from './own-tools.js';

const defaultSeconds = 30;
const beatMs = 5_000;

export const waitInput = z.strictObject({
  ...issueParams.shape,
  state: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('The state that you saw last, such as `blocked` or `executing.working`. Default: the present one'),
  timeoutSeconds: z.int().min(1).max(300).optional().describe(`Default ${defaultSeconds}`),
});

export interface Waited {
  /** Whether it left the state that the caller saw last. */
  readonly changed: boolean;
  readonly issue: IssueView;
}

/** Nothing happens to issues in these states by itself. */
const ended = new Set<string>(['done', 'failed', 'cancelled']);

/** Returns at once if the issue has left the given state, or has ended. Throws `not_found`, or `cancelled`. */
export async function waitForIssue(
  plane: Pick<Plane, 'followIssue' | 'getIssue'>,
  { principal, signal, onProgress }: Pick<OwnCall, 'principal' | 'signal' | 'onProgress'>,
  { id, state, timeoutSeconds = defaultSeconds }: z.output<typeof waitInput>,
): Promise<Waited> {
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, timeoutSeconds * 1_000);
  const began = performance.now();
  let message = 'waiting';
  const tell = () => onProgress({ progress: (performance.now() - began) / 1_000, total: timeoutSeconds, message });
  const beat = setInterval(tell, beatMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    if (signal.aborted) end();
    let seen = state;
    for await (const issue of plane.followIssue(principal, id, stop.signal)) {
      seen ??= stateName(issue);
      if (seen !== issue.state && seen !== stateName(issue)) return { changed: true, issue };
      if (ended.has(issue.state)) return { changed: false, issue };
      message = stateName(issue);
      tell();
    }
  } finally {
    clearTimeout(timer);
    clearInterval(beat);
    signal.removeEventListener('abort', end);
  }
  if (signal.aborted) throw new HelveError('cancelled', 'The caller cancelled the wait');
  return { changed: false, issue: await plane.getIssue(principal, id) };
}

function stateName({ state, phase }: IssueView): string {
  return phase === undefined ? state : `${state}.${phase}`;
}
