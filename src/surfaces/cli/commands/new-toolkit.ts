/** `helve toolkits new weather`: a folder with a toolkit of one tool and its tests, to begin with. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HelveError } from '../../../domain/errors.js';
import type { OfflineContext } from '../offline.js';

/** Throws `invalid_input` for a name that cannot be a slug, `conflict` if the folder is there. */
export async function newToolkit({ output }: OfflineContext, name: string): Promise<void> {
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new HelveError('invalid_input', `${JSON.stringify(name)} cannot be the name of a toolkit`, {
      hint: 'Use at most 40 lower-case letters, digits and single underscores, starting with a letter, such as issue_tracker.',
    });
  try {
    await mkdir(name);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new HelveError('conflict', `${name} already exists`, {
      hint: 'Choose another name, or another folder.',
      cause,
    });
  }
  const files = makeFiles(name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(name, path)), { recursive: true });
    await writeFile(join(name, path), text, { flag: 'wx' });
  }
  const next = `Test it: node --test ${name}/toolkit.test.js\nServe it: helve serve --toolkit ${name}/toolkit.js`;
  output.value(
    { folder: name, files: Object.keys(files) },
    `Made ${Object.keys(files).join(', ')} in ${name}/.\n${next}`,
  );
}

/** By path; `name` is both the slug and the beginning of the tool's name. */
function makeFiles(name: string): Readonly<Record<string, string>> {
  const constant = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
  const tool = `${constant}CountWords`;
  return {
    'package.json': `${JSON.stringify({ name: name.replaceAll('_', '-'), private: true, type: 'module', main: 'toolkit.js' }, null, 2)}\n`,
    'toolkit.js': `import { defineToolkit } from 'helve';

export const ${constant} = defineToolkit({
  slug: '${name}',
  title: '${title}',
  description: 'What an agent, and whoever grants it, reads about these tools.',
  category: 'custom',
  // Called once, when the toolkit is first listed or called.
  load: async () => [(await import('./tools/count-words.js')).${tool}],
});
`,
    'tools/count-words.js': `import { defineTool } from 'helve';
import { z } from 'zod';

export const ${tool} = defineTool({
  name: '${name}_count_words',
  title: 'Count words',
  description: 'Count the words of a text.',
  inputSchema: z.strictObject({ text: z.string().max(100_000).describe('The text') }),
  outputSchema: z.strictObject({ words: z.int().min(0) }),
  // What policies, approvals and clients go by. A tool that changes something says readOnlyHint: false.
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  capabilities: ['count words'],
  async execute({ text }) {
    return { words: text.split(/\\s+/).filter((word) => word !== '').length };
  },
});
`,
    'toolkit.test.js': `import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHelve } from 'helve';
import { ${constant} } from './toolkit.js';

let helve;
before(async () => {
  // In memory: a new installation for each run, with the agent first, which may use every tool.
  helve = await createHelve({ toolkits: [${constant}] });
  await helve.setUp();
});
after(() => helve.close());

const call = (input, agent = 'first') => helve.execute({ principal: { agent }, tool: '${name}_count_words', input });

test('words are counted', async () => {
  const { ok, output } = await call({ text: ' one  two\\nthree ' });
  assert.deepEqual([ok, output], [true, { words: 3 }]);
});

test('input that does not fit is refused before the tool runs', async () => {
  const { ok, error } = await call({ text: 7 });
  assert.deepEqual([ok, error?.code], [false, 'invalid_input']);
});
`,
  };
}
