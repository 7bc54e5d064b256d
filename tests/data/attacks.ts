/** The lists of attacks in `attacks/`, one row of JSON on each line: README.md says where they are from. */
import { readFileSync } from 'node:fs';

/** Reads all rows of `attacks/<name>.jsonl`. Throws if there is no such list. */
export function readAttacks<Row>(name: string): Row[] {
  const lines = readFileSync(new URL(`attacks/${name}.jsonl`, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}
