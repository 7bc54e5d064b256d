/** The variables, and the files from which Node reads them: they may contain every secret of the installation. */
import { expect, test } from 'vitest';
import { environmentFiles, readEnvironment } from './index.js';

test.each([
  ['HELVE_DATABSE_URL', 'HELVE_DATABASE_URL'],
  ['HELVE_LOGLEVEL', 'HELVE_LOG_LEVEL'],
  ['HELVE_HOSTS', 'HELVE_HOST'],
])('attack: %s is refused, because the default would silently count instead of %s', (mistyped, meant) => {
  expect(() => readEnvironment({ [mistyped]: 'x' })).toThrow(
    `${mistyped}: there is no such setting; did you mean ${meant}?`,
  );
  expect(() => readEnvironment({ [mistyped]: '' })).not.toThrow();
});

test('R-tool-config: variables of other programs with the prefix are left alone', () => {
  const others = ['HELVE_TOKEN', 'HELVE_URL', 'HELVE_AGENT', 'HELVE_API_KEY', 'HELVE_SERVICE_HOST', 'HELVE_HOME'];
  others.push('HELVE_DATABASE_USER', 'HELVE_DATABASE_NAME', 'HELVE_PORT_4870_TCP');
  expect(() => readEnvironment(Object.fromEntries(others.map((name) => [name, 'x'])))).not.toThrow();
});

test.each([
  [['--env-file=.env'], ['.env']],
  [['--env-file', '/srv/app/.env', '--no-warnings'], ['/srv/app/.env']],
  [
    ['--env-file-if-exists=a', '--env-file=b'],
    ['a', 'b'],
  ],
  [['--inspect', '--title=env-file=c'], []],
])('%j names %j', (words, files) => {
  expect(environmentFiles(words)).toEqual(files);
});
