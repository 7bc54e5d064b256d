/**
 * The tools of one server as last listed. A server that is down is an empty toolkit and does not break lists that
 * include it: it is asked again in the background, at growing intervals, and its tools appear when it answers.
 */
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { Tool } from '../../domain/tool.js';
import { canonicalJson } from '../../util/canonical.js';
import { describeTool, type RefusedTool } from './describe-tool.js';

export interface ToolList {
  /** Reads the list at first use. Never rejects. */
  get(): Promise<readonly Tool[]>;
  readonly refused: readonly RefusedTool[];
  /** Why the list could not be read the last time; undefined if it could. */
  readonly problem: string | undefined;
  /** Reads it again and returns whether it has changed. Never rejects. */
  renew(): Promise<boolean>;
  close(): void;
}

export interface ToolListOptions {
  readonly toolkit: string;
  /** Asks the server. */
  readonly read: () => Promise<readonly unknown[]>;
  readonly report: (error: HelveError) => void;
  /** Called when tools have arrived after an empty list was returned. */
  readonly onRecovered: () => void;
  readonly firstRetryMs?: number;
}

const maxRetryMs = 300_000;

/** Returns the list of one server. Nothing is read until it is used. */
export function createToolList({
  toolkit,
  read,
  report,
  onRecovered,
  firstRetryMs = 2_000,
}: ToolListOptions): ToolList {
  let tools: Promise<readonly Tool[]> | undefined;
  let refused: readonly RefusedTool[] = [];
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let problem: string | undefined;
  let closed = false;

  async function load(): Promise<readonly Tool[]> {
    try {
      const described = describeAll(toolkit, await read());
      failures = 0;
      problem = undefined;
      for (const one of described.refused) if (!refused.some((old) => same(old, one))) report(refusal(one));
      refused = described.refused;
      return described.tools;
    } catch (error) {
      const failure = toHelveError(error, 'upstream_failed');
      problem = failure.message;
      if (!closed) report(failure);
      retryLater();
      return [];
    }
  }

  function retryLater(): void {
    if (closed || retry) return;
    const pause = Math.min(maxRetryMs, firstRetryMs * 2 ** failures);
    failures += 1;
    retry = setTimeout(async () => {
      retry = undefined;
      const attempt = load();
      tools = attempt;
      if ((await attempt).length > 0 && !closed) onRecovered();
    }, pause).unref();
  }

  return {
    get() {
      tools ??= load();
      return tools;
    },
    get refused() {
      return refused;
    },
    get problem() {
      return problem;
    },
    async renew() {
      const before = await tools;
      const attempt = load();
      const after = await attempt;
      tools = attempt;
      return before === undefined || canonicalJson(before) !== canonicalJson(after);
    },
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}

interface DescribedList {
  readonly tools: readonly Tool[];
  readonly refused: readonly RefusedTool[];
}

function describeAll(toolkit: string, list: readonly unknown[]): DescribedList {
  const described = list.map((listed) => describeTool(toolkit, listed));
  const tools = described.flatMap((one) => ('tool' in one ? [one.tool] : []));
  const refused = described.flatMap((one) => ('refused' in one ? [one.refused] : []));
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const { id } of tools) (seen.has(id.name) ? twice : seen).add(id.name);
  return {
    // It would be unclear which of the two was accepted, and which the server runs.
    tools: tools.filter(({ id }) => !twice.has(id.name)),
    refused: [...refused, ...[...twice].map((name) => ({ name, reason: 'there are two tools with this name' }))],
  };
}

function refusal({ name, reason }: RefusedTool): HelveError {
  return new HelveError('invalid_config', `The tool ${name} is not offered: ${reason}`, {
    details: { tool: name, reason },
  });
}

function same(a: RefusedTool, b: RefusedTool): boolean {
  return a.name === b.name && a.reason === b.reason;
}
