import { expect, test } from 'vitest';
import { toolAliases } from '../domain/naming/index.js';
import { namesTool } from './names.js';

test.each(Object.entries(toolAliases))('attack: a rule that denies %s holds for the tool %s', (alias, name) => {
  const id = { toolkit: 'any', name };
  expect(namesTool(alias, id, 'deny')).toBe(true);
  expect(namesTool(alias, id, 'require_approval')).toBe(true);
  expect(namesTool(alias, { toolkit: 'any', name: 'another_tool' }, 'deny')).toBe(false);
});
