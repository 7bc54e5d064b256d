/** What an issue waits for and what it came to, in lines for a terminal: with the command that decides, where a person must. */
import type { Api } from '../../api/index.js';
import type { RunWait } from '../../domain/run.js';
import { defined } from '../../util/defined.js';
import { showValue, tellWait } from './run-view.js';

type Issue = Pick<Api['GET /api/issues/:id']['reply'], 'id' | 'waitsFor' | 'result' | 'delivered'>;

/** A question of a run, which `url` shows, or of checks. */
type Wait = (RunWait & { readonly runId: string; readonly url?: string }) | Asked;

interface Asked {
  readonly for: 'check';
  readonly asks: readonly { readonly check: number; readonly question: string; readonly who: string | null }[];
}

export function tellIssueWait({ id, waitsFor, result }: Issue): readonly string[] {
  const wait = waitsFor as Wait | undefined;
  if (wait === undefined) return [];
  // A decision about a program within the run is passed on to it.
  if (wait.for !== 'check') return indent(tellWait({ id: wait.runId, ...defined({ url: wait.url }) }, wait));
  const asks = wait.asks.map(
    ({ check, question, who }) =>
      `It asks${who === null ? '' : ` ${who}`} about the work (check ${check}): ${question}`,
  );
  const decide = `   helve task accept ${id}, or helve task reject ${id} --reason "…"`;
  return [...asks.flatMap(indent), ...tellResult('The work', result), ...indent(decide)];
}

/** What the issue has delivered; empty while it is not done. */
export function tellDelivered({ delivered }: Issue): readonly string[] {
  const { output, pullRequest } = (delivered ?? {}) as { readonly output?: unknown; readonly pullRequest?: string };
  return [...tellResult('Delivered', output), ...(pullRequest ? indent(`Pull request: ${pullRequest}`) : [])];
}

/** An agent that hands in no output of its own hands in `{ text }`. */
function tellResult(title: string, result: unknown): readonly string[] {
  if (result === undefined || result === null) return [];
  const { text, ...rest } = result as { readonly text?: unknown };
  const isText = typeof text === 'string' && Object.keys(rest).length === 0;
  return indent(`${title}: ${showValue(isText ? text : result)}`);
}

const indent = (text: string): readonly string[] => text.split('\n').map((line) => `  ${line}`);
