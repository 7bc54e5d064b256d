/** Runs programs for the tool `run_code`: the same acts as at every other door, as the caller of the tool. */
import type { CodeActs } from '../../domain/code-acts.js';
import type { CodeMode } from '../../domain/code-mode.js';
import { HelveError } from '../../domain/errors.js';
import type { CallRequest } from '../../domain/execution.js';
import type { Run, RunActs } from '../../domain/run.js';
import { defined } from '../../util/defined.js';
import type { ConfigurationCache } from '../workspaces/index.js';

export interface CodeModeParts {
  /** They check the caller's permissions. */
  readonly acts: Pick<RunActs, 'runCode' | 'getRun' | 'followRun'> & Pick<CodeActs, 'toolDeclarations'>;
  readonly configurations: Pick<ConfigurationCache, 'getFresh'>;
}

/** Returns the runner for the caller of one call. */
export function createCodeMode(
  { acts, configurations }: CodeModeParts,
  { principal, run: within, intent }: Pick<CallRequest, 'principal' | 'run' | 'intent'>,
): CodeMode {
  async function settle(id: string, signal: AbortSignal): Promise<Run> {
    let last = await acts.getRun(principal, id);
    const before = JSON.stringify(last.waits);
    const isSettled = ({ finishedAt, waits }: Run): boolean =>
      finishedAt !== undefined || (waits.length > 0 && JSON.stringify(waits) !== before);
    if (isSettled(last)) return last;
    for await (const event of acts.followRun(principal, id, signal)) {
      if (event.type !== 'call') last = event.run;
      if (isSettled(last)) return last;
    }
    return last;
  }

  return {
    async run(program, options) {
      if (!within) return acts.runCode(principal, { ...defined({ intent }), ...program }, options);
      if (!within.isLoop)
        throw new HelveError('forbidden', 'A program cannot run another program', {
          hint: 'Put what it should do into this program.',
        });
      // Asked again by another process, the step gets the run that it started, wherever that goes on.
      const idempotencyKey = `${within.runId}:${within.number}`;
      const run = await acts.runCode(principal, { ...defined({ intent }), ...program, idempotencyKey }, options);
      const goesOn = run.finishedAt === undefined && run.waits.length === 0 && options.signal?.aborted === false;
      return goesOn && options.signal ? settle(run.id, options.signal) : run;
    },
    get: (id) => acts.getRun(principal, id),
    settle,
    declare: async (tools) => (await acts.toolDeclarations(principal, { tools, format: 'full' })).text,
    async prefersPrograms() {
      if (principal.kind !== 'agent') return false;
      const { agents } = await configurations.getFresh(principal.workspaceId);
      return agents.find(({ id }) => id === principal.id)?.toolMode === 'code';
    },
  };
}
