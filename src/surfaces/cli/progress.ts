/** Shows progress as a bar on a terminal, as lines elsewhere, and not at all with `--json`. */
import { type Output, printable } from './print.js';

export interface Progress {
  /** `done` of `total`, if the total is known; `step` is the line that is printed without a terminal. */
  at(done: number, total: number | undefined, what: string, step?: string): void;
  note(text: string): void;
  end(): void;
}

const width = 24;

export function createProgress(output: Output): Progress {
  const stream = process.stderr;
  if (output.json) return { at() {}, note() {}, end() {} };
  if (!stream.isTTY) return splitLines(output);
  let shown = false;
  const show = (text: string): void => {
    stream.write(`\r\u001b[2K${text}`);
    shown = true;
  };
  return {
    at(done, total, what) {
      const bar = total === undefined ? `${done}` : getBar(done, total);
      const room = Math.max(10, (stream.columns ?? 80) - bar.length - 2);
      show(`${bar} ${printable(what).replace(/\s/g, ' ').slice(0, room)}`);
    },
    note: show,
    end() {
      if (shown) stream.write('\r\u001b[2K');
      shown = false;
    },
  };
}

function getBar(done: number, total: number): string {
  const filled = Math.min(width, Math.round((done / Math.max(total, 1)) * width));
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${done}/${total}`;
}

/** A step that repeats is printed once. */
function splitLines(output: Output): Progress {
  let last = '';
  return {
    at(_done, _total, what, step = what) {
      if (step !== last) output.line(printable(step));
      last = step;
    },
    note: output.line,
    end() {},
  };
}
