/**
 * The files that run Helve elsewhere. An image is built and run by `deploy/try-image.sh`, which needs root and Debian's tools; here
 * is what can be seen without them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

test('R-operate: the image has only what exists, a user who is not root, a check of its health and the program of its walls', () => {
  const text = read('Containerfile');
  const copied = [...text.matchAll(/\/build\/([\w./-]+)/g)].map(([, path = '']) => path);
  expect(copied.length).toBeGreaterThan(6);
  const made = new Set(['node_modules', 'dist']);
  expect(copied.filter((path) => !made.has(path) && !existsSync(`${root}${path}`))).toEqual([]);
  const final = text.slice(text.lastIndexOf('\nFROM '));
  expect(final).toMatch(/\nUSER 10001:10001\n/);
  expect(final).toMatch(/\nHEALTHCHECK .*"\/app\/bin\/healthy\.js"/);
  expect(final).toContain('bubblewrap');
  // Nothing of this folder that is secret or large gets into the build.
  expect(read('.dockerignore')).toBe(read('.containerignore'));
  for (const name of ['**/node_modules', '.git', '.helve', 'tests'])
    expect(read('.containerignore').split('\n')).toContain(name);
});

test('R-operate: compose.yaml has a root that cannot be written, no privileges, and only this machine as a door', () => {
  const { services } = parse(read('compose.yaml'));
  const { helve, postgres, restate } = services;
  expect(helve).toMatchObject({ read_only: true, cap_drop: ['ALL'], ports: ['127.0.0.1:4870:4870'] });
  expect(helve.security_opt).toContain('no-new-privileges');
  expect(helve.environment.HELVE_DATABASE_URL).toContain('@postgres:5432/');
  expect(postgres).not.toHaveProperty('ports');
  expect(restate.profiles).toEqual(['restate']);
});

const hasSystemd = existsSync('/usr/bin/systemd-analyze');

test.skipIf(!hasSystemd)('R-operate: systemd accepts the unit, and finds it exposed by no more than 3.5 of 10', () => {
  execFileSync('systemd-analyze', ['verify', `${root}deploy/helve.service`], { stdio: 'pipe' });
  const options = ['security', '--offline=true', '--no-pager', `${root}deploy/helve.service`];
  const said = execFileSync('systemd-analyze', options, { encoding: 'utf8' });
  expect(Number(/exposure level for helve\.service: ([\d.]+)/.exec(said)?.[1])).toBeLessThanOrEqual(3.5);
});
