import { expect, test } from 'vitest';
import { readOwnPath } from './own-path.js';

test.each([
  ['/admin', '/admin'],
  ['/approvals/1?a=b&c=//d', '/approvals/1?a=b&c=//d'],
  ['/a/../admin#part', '/admin'],
  ['/@elsewhere.example', '/@elsewhere.example'],
])('R-people: %s stays on this server', (text, path) => {
  expect(readOwnPath(text)).toBe(path);
});

test.each([
  undefined,
  '',
  'admin',
  'https://elsewhere.example/',
  '//elsewhere.example',
  '///elsewhere.example',
  '/\\elsewhere.example',
  '\\/elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  '/.//elsewhere.example',
  '/a/..//elsewhere.example',
  ' //elsewhere.example',
  'javascript:alert(1)',
  `/${'a'.repeat(2_000)}`,
])('R-people: attack: %j does not', (text) => {
  expect(readOwnPath(text)).toBeUndefined();
});
