/**
 * Lines of an untrusted stream: a line that is too long or too deep is dropped as it passes and never stored, and
 * the next one is read normally.
 */
import { createNestingGuard } from './nesting-guard.js';

export interface LineLimits {
  readonly lineBytes: number;
  readonly depth: number;
}

export interface LineReader {
  take(chunk: Buffer): void;
}

/** Returns a function that accepts chunks and passes on complete lines. */
export function createLineReader(
  { lineBytes, depth }: LineLimits,
  onLine: (line: string) => void,
  onDropped: (reason: string) => void,
): LineReader {
  const guard = createNestingGuard(depth);
  let parts: Buffer[] = [];
  let size = 0;
  let dropping: string | undefined;

  function add(part: Buffer): void {
    if (dropping !== undefined) return;
    size += part.length;
    if (size > lineBytes) dropping = `a message of more than ${lineBytes} bytes`;
    else if (!guard.take(part)) dropping = `a message nested deeper than ${depth} levels`;
    if (dropping === undefined) parts.push(part);
    else parts = [];
  }

  function end(): void {
    const [line, reason] = [Buffer.concat(parts).toString('utf8'), dropping];
    parts = [];
    size = 0;
    dropping = undefined;
    guard.reset();
    if (reason !== undefined) onDropped(reason);
    else if (line.trim() !== '') onLine(line);
  }

  return {
    take(chunk) {
      let from = 0;
      for (let index = chunk.indexOf(0x0a); index >= 0; index = chunk.indexOf(0x0a, from)) {
        add(chunk.subarray(from, index));
        end();
        from = index + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
  };
}
