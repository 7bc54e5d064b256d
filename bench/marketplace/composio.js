// The tests' Composio server in its own process, so that its work is not measured: prints its address and answers until it is
// killed. Types are stripped from its sources, because plain Node cannot run them.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';

const sources = new URL('../../tests/counterparts/composio/', import.meta.url);
const data = new URL('../../../shared/data/', import.meta.url).href;
const target = await mkdtemp(join(tmpdir(), 'helve-bench-composio-'));
await writeFile(join(target, 'package.json'), '{"type":"module"}');
for (const name of ['server', 'catalogue', 'accounts', 'execute', 'triggers', 'state', 'shapes', 'data']) {
  const text = await readFile(fileURLToPath(new URL(`${name}.ts`, sources)), 'utf8');
  const { code } = await transform(text, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  const here = code.replace(
    /new URL\('\.\.\/\.\.\/\.\.\/\.\.\/shared\/data\/', import\.meta\.url\)/,
    `new URL('${data}')`,
  );
  await writeFile(join(target, `${name}.js`), here);
}
const { startComposio } = await import(pathToFileURL(join(target, 'server.js')).href);
const { stretchedData } = await import(pathToFileURL(join(target, 'data.js')).href);
const composio = await startComposio(stretchedData());
process.on('message', (word) => {
  if (word === 'calls') process.send?.(composio.requests.length);
  else composio.faults.splice(0, 1, { when: () => true, times: Number.POSITIVE_INFINITY, delayMs: word });
});
process.send?.(composio.url);
