// Starts `helve serve` as a separate process.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ownProgram = fileURLToPath(new URL('../../bin/helve.js', import.meta.url));

/**
 * Resolves to the process with its `url` when it serves; rejects with its output if it ends before. `onStart` is called
 * with it at once; `program` is by default that of this repository, `args` are further options of `serve`, and
 * `execArgv` are options of Node.
 */
export function serve(dataDir, { env, onStart, program = ownProgram, execArgv = [], args = [] }) {
  const child = spawn(process.execPath, [...execArgv, program, 'serve', '--port', '0', '--data', dataDir, ...args], {
    env,
  });
  onStart?.(child);
  let out = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(out)));
    child.stderr.on('data', (chunk) => (out += chunk));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const url = /Helve serves at\s+(\S+)/.exec(out)?.[1];
      if (url && out.includes('Stop with Ctrl-C')) resolve(Object.assign(child, { url }));
    });
  });
}
