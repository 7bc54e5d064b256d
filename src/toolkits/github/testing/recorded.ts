/**
 * `@octokit/fixtures-server`: traffic recorded from the real GitHub. Three things in it are changed: the credentials and
 * media type that clients sent then, the numeric address of a repository on later pages, and slashes in addresses that we
 * encode. By itself the server would listen on all interfaces and a fixed port; here it runs on loopback.
 */
import { createRequire } from 'node:module';
import { type Counterpart, startChild } from '../../../../tests/counterparts/child.js';

const require = createRequire(import.meta.url);

const program = `
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
const require = createRequire(process.env.FIXTURES_SERVER);
const fixturesServer = (await import(process.env.FIXTURES_SERVER)).default;
const express = require('express');
const folder = join(dirname(require.resolve('@octokit/fixtures')), 'scenarios/api.github.com');
const accept = 'application/vnd.github+json, application/json;q=0.9';
const authorization = 'Bearer ghp_0000000000000000000000000000000000000001';
const fixtures = {};
for (const scenario of readdirSync(folder)) {
  const steps = JSON.parse(readFileSync(join(folder, scenario, 'normalized-fixture.json'), 'utf8'));
  fixtures[scenario] = steps.map((step) => ({
    ...step,
    path: step.path.replace('/repositories/1000/', '/repos/octokit-fixture-org/' + scenario + '/').replace('/heads/', '/heads%2F').replace(/\\/contents\\/$/, '/contents'),
    reqheaders: { accept, authorization, host: step.reqheaders.host },
  }));
}
const app = express();
const server = createServer(app).listen(0, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + server.address().port;
  app.use(fixturesServer({ fixturesUrl: url, logLevel: 'silent', fixtures, ttl: 60000 }));
  console.log('serving ' + url);
});
`;

export interface Recorded extends Counterpart {
  /** Loads a scenario from its start. Returns the base URL, which answers its steps in their order. */
  load(scenario: string): Promise<string>;
}

export const recordedToken = 'ghp_0000000000000000000000000000000000000001';

export async function startRecorded(): Promise<Recorded> {
  const server = await startChild(['--input-type=module', '-e', program], /serving (http:\/\/127\.0\.0\.1:\d+)/, {
    FIXTURES_SERVER: require.resolve('@octokit/fixtures-server'),
  });
  return {
    ...server,
    async load(scenario) {
      const response = await fetch(`${server.url}/fixtures`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ scenario }),
      });
      const { url, error } = (await response.json()) as { url?: string; error?: string };
      if (url === undefined) throw new Error(error ?? 'The scenario was not loaded');
      return url;
    },
  };
}
