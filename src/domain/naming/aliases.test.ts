/** Aliases: one tool with two names in the documentation. */
import { expect, it } from 'vitest';
import { canonicalToolName, createNameIndex, findAliasPreset, toolAliases } from './index.js';

it('R-registry: an alias stands for the name of one tool, and for nothing else', () => {
  expect(Object.fromEntries(Object.keys(toolAliases).map((alias) => [alias, canonicalToolName(alias)]))).toEqual({
    list_directory: 'list_dir',
    http_request: 'fetch_url',
    execute_command: 'run_command',
    stat: 'file_info',
    ssh_execute: 'run_ssh_command',
    create_pdf: 'create_document',
    create_docx: 'create_document',
    create_xlsx: 'create_document',
    create_pptx: 'create_document',
  });
  for (const name of ['list_dir', 'calculate', 'constructor', '__proto__', '']) {
    expect(canonicalToolName(name)).toBe(name);
    expect(findAliasPreset(name)).toBeUndefined();
  }
  expect(findAliasPreset('create_xlsx')).toEqual({ format: 'xlsx' });
});

it('R-registry: a dotted alias is read only where its tool exists and no tool has that form itself', () => {
  const readFile = { toolkit: 'files', name: 'read_file' };
  for (const form of ['file.read', 'File.read']) expect(createNameIndex([readFile]).parse(form)).toEqual(readFile);
  expect(createNameIndex([{ toolkit: 'math', name: 'calculate' }]).parse('file.read')).toBeUndefined();
  const own = { toolkit: 'file', name: 'read' };
  expect(createNameIndex([readFile, own]).parse('file.read')).toEqual(own);
  for (const form of ['file.remove', 'constructor', 'file.'])
    expect(createNameIndex([readFile]).parse(form)).toBeUndefined();
});

it('R-registry: the index reads an alias as the native tool, even if a tool of another provider has that name', () => {
  const shell = { toolkit: 'shell', name: 'run_command' };
  expect(createNameIndex([shell]).parse('execute_command')).toEqual(shell);
  const foreign = { toolkit: 'evil', name: 'execute_command' };
  expect(createNameIndex([foreign, shell]).parse('execute_command')).toEqual(shell);
  expect(createNameIndex([foreign]).parse('execute_command')).toBeUndefined();
});
