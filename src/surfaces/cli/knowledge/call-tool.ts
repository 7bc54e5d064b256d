/** Calls a tool and returns its output, or throws its error. After a rate limit it waits as long as the server asks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HelveClient } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';

export interface CallOptions {
  readonly agent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait, with the seconds. */
  readonly onWait?: (seconds: number) => void;
}

const maxWaits = 20;

export async function callTool<Answer>(
  client: HelveClient,
  tool: string,
  input: JsonObject,
  options: CallOptions = {},
): Promise<Answer> {
  const { agent, signal, onWait } = options;
  const body = { tool, input, ...defined({ agent }) };
  for (let waits = 0; ; waits += 1) {
    try {
      const result = await client.call('POST /api/tools/execute', { body }, signal);
      if (result.ok) return result.output as Answer;
      const { code, message, hint, details } = result.error;
      throw new HelveError(code, message, { ...(hint ? { hint } : {}), ...(details ? { details } : {}) });
    } catch (error) {
      if (!(error instanceof HelveError) || error.code !== 'rate_limited' || waits >= maxWaits) throw error;
      const told = Number(error.details?.retryAfterSeconds);
      const seconds = Number.isFinite(told) ? Math.min(Math.max(told, 1), 300) : 5;
      onWait?.(seconds);
      await sleep(seconds * 1_000, undefined, { signal });
    }
  }
}
