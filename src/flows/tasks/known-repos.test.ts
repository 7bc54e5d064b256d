/** What the name of a repository means is found out when it is written. GitHub is a counterpart that prism checks; Linear has its own. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RememberingGitHub, startGitHub } from '../../../tests/counterparts/github.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';
import { connectedTo } from '../../toolkits/github/testing/connected.js';
import { connectedTo as connectedToLinear } from '../../toolkits/linear/testing/connected.js';
import { schemaMissing, startLinear } from '../../toolkits/linear/testing/counterpart.js';

let github: RememberingGitHub;
/** The requests that reached GitHub. */
const seen: string[] = [];
beforeAll(async () => {
  github = await startGitHub();
  github.sees = ({ method, url }) => seen.push(`${method} ${url}`);
});
afterAll(() => github.close());
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  github.repositories = undefined;
  seen.length = 0;
});

async function open(options: TestHelveOptions): Promise<TestHelve> {
  const helve = await createTestHelve(options);
  opened.push(helve);
  return helve;
}

const step = { prompt: 'Read it', tools: [] };
const config = { disabled: ['math'] };

describe('without an account of the service', () => {
  test('a repository is accepted, and the answer says that it was not checked', async () => {
    const { plane, admin } = await open({});
    const notice =
      'github:acme/shop was accepted and not checked: nothing was delivered from it, and no account of github is connected.';
    expect(await plane.createIssue(admin, { title: 'It breaks', repo: 'github:acme/shop' })).toMatchObject({ notice });
    // From now on it is one that the workspace knows.
    expect(await plane.createIssue(admin, { title: 'It breaks', repo: 'github:Acme/shop' })).toMatchObject({
      repo: 'github:acme/shop',
      org: 'github:acme',
    });
    expect(await plane.updatePlace(admin, { kind: 'repo', id: 'github:ACME/shop' }, { paused: true })).toMatchObject({
      id: 'github:acme/shop',
    });
    const near = await plane.setRecipe(admin, 'triage', { repo: 'github:acme/shpo', steps: [step] });
    expect(near.notice).toMatch(/ Did you mean github:acme\/shop\?$/);
    expect(await plane.getRecipe(admin, 'triage')).not.toHaveProperty('notice');
    // A kept name is not written again.
    expect(
      await plane.setRecipe(admin, 'triage', { repo: 'github:acme/shpo', steps: [step, step] }),
    ).not.toHaveProperty('notice');
    const repos = (await plane.listPlaces(admin, 'repo')).places;
    expect(repos.map(({ id, state }) => [id, state])).toEqual([['github:acme/shop', 'paused']]);
  });

  test('a service from which nothing is delivered is refused with the one that was meant', async () => {
    const { plane, admin } = await open({});
    const file = (repo: string) => plane.createIssue(admin, { title: 'It breaks', repo });
    await expect(file('githb:acme/shop')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'repo: "githb" is not a service that delivers issues',
      hint: 'Did you mean github:acme/shop?',
    });
    await expect(file('sourcehut:acme/shop')).rejects.toMatchObject({ hint: 'There are: github and linear.' });
  });
});

describe('with an account of GitHub', () => {
  test('a repository that it does not reach is refused with the nearest name, wherever it is written', async () => {
    github.repositories = new Map([
      ['acme/shop', 7],
      ['acme/site', 8],
    ]);
    const { plane, admin } = await open(connectedTo(github.url));
    const repo = 'github:acme/shpo';
    const writes: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['repo', () => plane.createIssue(admin, { title: 'It breaks', repo })],
      ['id', () => plane.updatePlace(admin, { kind: 'repo', id: repo }, { paused: true })],
      ['id', () => plane.putToolConfig(admin, { level: 'repo', id: repo }, config)],
      ['repo', () => plane.setRecipe(admin, 'triage', { repo, steps: [step] })],
    ];
    for (const [at, write] of writes)
      await expect(write()).rejects.toMatchObject({
        code: 'invalid_input',
        message: `${at}: there is no repository "github:acme/shpo"`,
        hint: 'Did you mean github:acme/shop?',
      });
    const source = { provider: 'github', connection: 'work-github' } as const;
    await expect(plane.createTaskSource(admin, { ...source, scope: 'acme/shpo' })).rejects.toMatchObject({
      message: 'scope: there is no repository "acme/shpo"',
      hint: 'Did you mean acme/shop?',
    });
    expect((await plane.listPlaces(admin, 'repo')).places).toEqual([]);
    expect(await plane.listTaskSources(admin)).toEqual([]);
    // As GitHub writes it.
    const made = await plane.createTaskSource(admin, { ...source, scope: 'Acme/Shop' });
    expect(made).toMatchObject({ source: { scope: 'acme/shop' } });
    expect(made).not.toHaveProperty('notice');
    const issue = await plane.createIssue(admin, { title: 'It breaks', repo: 'github:ACME/Site' });
    expect(issue).toMatchObject({ repo: 'github:acme/site' });
    expect(issue).not.toHaveProperty('notice');
  });

  test('GitHub is asked as the caller: not with a tool that may not be called, or that a person would be asked about', async () => {
    github.repositories = new Map([['acme/shop', 7]]);
    for (const effect of ['deny', 'require_approval'] as const) {
      const when = { tools: ['work-github__get_repository'] };
      const policies = [{ id: 'no-reading', effect, when }];
      const { plane, admin } = await open({ ...connectedTo(github.url), policies });
      const { notice } = await plane.createIssue(admin, { title: 'It breaks', repo: 'github:acme/shpo' });
      expect(notice).toContain('no account of github could say whether there is such a repository');
      expect(await plane.approvals(admin, {})).toEqual([]);
    }
    expect(seen.filter((request) => request.includes('/repos'))).toEqual([]);
  });

  test('attack: another person’s account says nothing about what it reaches', async () => {
    github.repositories = new Map([['acme/secret', 7]]);
    const { plane, admin } = await open({
      nativeToolkits: connectedTo(github.url).nativeToolkits,
      config: connectedTo(github.url).config,
    });
    const { link } = await plane.createUser(admin, { name: 'Mia', role: 'admin' });
    const { principal: mia } = await plane.redeemAdminLink(link.slice(link.indexOf('token=') + 'token='.length));
    const [account] = connectedTo(github.url).connections;
    const { id } = await plane.addConnection(mia, {
      toolkit: 'github',
      name: 'Mine',
      scheme: 'token',
      visibility: 'private',
    });
    await plane.connect(mia, id, { credentials: account?.credentials ?? {}, check: false });
    seen.length = 0;
    const { notice } = await plane.createIssue(admin, { title: 'It breaks', repo: 'github:acme/secrt' });
    expect(notice).toMatch(/no account of github is connected\.$/);
    expect(seen.filter((request) => request.includes('/repos'))).toEqual([]);
    await expect(plane.createIssue(mia, { title: 'It breaks', repo: 'github:acme/sectre' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

test.skipIf(schemaMissing)('a team of Linear is looked for among the teams of the account', async () => {
  const linear = await startLinear();
  opened.push(linear);
  const { plane, admin } = await open(connectedToLinear(linear.url));
  const file = (repo: string) => plane.createIssue(admin, { title: 'It breaks', repo });
  await expect(file('linear:acme/ENH')).rejects.toMatchObject({
    message: 'repo: there is no repository "linear:acme/ENH"',
    hint: 'Did you mean linear:acme/ENG?',
  });
  expect(await file('linear:acme/ENG')).not.toHaveProperty('notice');
  const source = { provider: 'linear', connection: 'team' } as const;
  await expect(plane.createTaskSource(admin, { ...source, scope: 'ENH' })).rejects.toMatchObject({
    message: 'scope: there is no team "ENH"',
  });
  expect(await plane.createTaskSource(admin, { ...source, scope: 'ENG' })).not.toHaveProperty('notice');
});
