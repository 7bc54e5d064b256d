/** Aliases: one tool, two names in the documents. */
import { expect, it } from 'vitest';
import { canonicalToolName, createNameIndex, toolAliases } from './index.js';

it('R-registry: an alias stands for the name of the native-tools document, and for nothing else', () => {
  expect(Object.entries(toolAliases).map(([alias]) => canonicalToolName(alias))).toEqual([
    'list_dir',
    'fetch_url',
    'run_command',
    'file_info',
  ]);
  for (const name of ['list_dir', 'calculate', 'constructor', '__proto__', ''])
    expect(canonicalToolName(name)).toBe(name);
});

it('R-registry: the index reads an alias as the native tool, even if a foreign tool is called so', () => {
  const shell = { toolkit: 'shell', name: 'run_command' };
  expect(createNameIndex([shell]).parse('execute_command')).toEqual(shell);
  const foreign = { toolkit: 'evil', name: 'execute_command' };
  expect(createNameIndex([foreign, shell]).parse('execute_command')).toEqual(shell);
  expect(createNameIndex([foreign]).parse('execute_command')).toBeUndefined();
});
