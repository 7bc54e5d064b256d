/** Runs the TypeScript compiler, in strict mode, on one text in a temporary folder. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'lib', 'tsc.js');
const options = { strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [], skipLibCheck: true };

/** The errors, by line (from 1). An empty map: it compiles. */
export function compile(text: string): Map<number, string> {
  const folder = mkdtempSync(join(tmpdir(), 'helve-types-'));
  try {
    writeFileSync(join(folder, 'checked.ts'), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['checked.ts'] }));
    const run = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const problems = new Map<number, string>();
    for (const [, line, message] of run.stdout.matchAll(/^\S*checked\.ts\((\d+),\d+\): error (.*)$/gm))
      if (!problems.has(Number(line))) problems.set(Number(line), message ?? '');
    if (run.status !== 0 && problems.size === 0) throw new Error(`The compiler failed: ${run.stdout}${run.stderr}`);
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One line of a program: assigns a value, as a literal, to a type. */
export function assignment(index: number, type: string, value: unknown): string {
  // The compiler treats these as line ends.
  const text = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `const v${index}: ${type} = ${text}`;
}
