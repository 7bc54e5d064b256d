/** A bar on a terminal, a line a file elsewhere, nothing beside the answer for programs. */
import { type Output, printable } from '../print.js';

export interface Progress {
  done(index: number, source: string, what: string): void;
  note(text: string): void;
  end(): void;
}

const width = 24;

export function createProgress(total: number, output: Output, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (output.json) return { done() {}, note() {}, end() {} };
  if (!stream.isTTY) {
    return { done: (_index, source, what) => output.line(printable(`${what} ${source}`)), note: output.line, end() {} };
  }
  let shown = false;
  const show = (text: string): void => {
    stream.write(`\r\u001b[2K${text}`);
    shown = true;
  };
  return {
    done(index, source, what) {
      const filled = Math.round(((index + 1) / Math.max(total, 1)) * width);
      const bar = `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${index + 1}/${total}`;
      const room = Math.max(10, (stream.columns ?? 80) - bar.length - what.length - 4);
      show(`${bar} ${what} ${printable(source).replace(/\s/g, ' ').slice(-room)}`);
    },
    note: show,
    end() {
      if (shown) stream.write('\r\u001b[2K');
      shown = false;
    },
  };
}
