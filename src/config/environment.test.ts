/** The files from which Node reads variables: they may contain every secret of the installation. */
import { expect, test } from 'vitest';
import { environmentFiles } from './index.js';

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
