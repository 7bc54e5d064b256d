/** What the issue of a run takes away from its calls. That can change while the run goes on. */
import type { Principal } from '../../domain/principal.js';
import type { ResolvedToolConfig } from '../../domain/task-scope.js';
import { defined } from '../../util/defined.js';
import { rightsMs } from './lost-rights.js';

export interface PresentScopeParts {
  /** The tool configs of the issue that the principal works on, as they are now; undefined if it works on none. */
  readonly readToolConfig?: (principal: Principal) => Promise<ResolvedToolConfig | undefined>;
  readonly now: () => Date;
}

/** Returns a function that gives the principal of a call the present tool configs of its issue, read at most once a second. */
export function createPresentScope({ readToolConfig, now }: PresentScopeParts) {
  let last: { readonly at: number; readonly config: Promise<ResolvedToolConfig | undefined> } | undefined;
  return async (principal: Principal): Promise<Principal> => {
    if (principal.task === undefined || readToolConfig === undefined) return principal;
    const at = now().getTime();
    if (last === undefined || Math.abs(at - last.at) >= rightsMs) last = { at, config: readToolConfig(principal) };
    const config = await last.config;
    if (config === undefined) return principal;
    const { issueId, step, job } = principal.task;
    return { ...principal, task: { issueId, ...config, ...defined({ step, job }) } };
  };
}
