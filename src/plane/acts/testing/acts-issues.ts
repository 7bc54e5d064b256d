/** For tests: the table's rows for issues. They belong to the workspace, whose callers see all of them. */
import type { IssueActs } from '../../../domain/issue-acts.js';
import type { PlaceActs } from '../../../domain/place-acts.js';
import type { RecipeActs } from '../../../domain/recipe.js';
import type { TaskSourceActs } from '../../../domain/task-source.js';
import type { Table } from './act-row.js';
import { operating } from './acts-operating.js';
import type { Scene } from './acts-scene.js';

const ofWorkspace = { none: 'issues are of the workspace: its agents may do this too' };
const seen = { agent: 'nothing', workspace: 'not_found' } as const;
const signed = (words: string) => ({ file: 'src/flows/tasks/webhooks/github.test.ts', words });
const place = { level: 'repo', id: 'github:acme/shop' } as const;
/** Followed until the first state, which is there at once. */
const firstOf = async ({ plane, issue }: Scene, by: Parameters<IssueActs['followIssue']>[0]) => {
  for await (const view of plane.followIssue(by, issue)) return view;
  return undefined;
};

/** The scene has a source with the private account: `source`. */
const sourceActs: Table<keyof TaskSourceActs> = {
  listTaskSources: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.listTaskSources(by),
    effect: 'shows',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  getTaskSource: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.getTaskSource(by, 'source'),
    effect: 'shows',
    account: 'nothing',
    ...seen,
  }),
  // The account is of another app than GitHub.
  createTaskSource: operating({
    needs: ['tools:call', 'agents:act'],
    act: ({ plane, account }, by) =>
      plane.createTaskSource(by, { provider: 'github', scope: 'acme', connection: account }),
    effect: 'invalid_input',
    account: 'not_found',
  }),
  deleteTaskSource: operating({
    needs: ['tools:call', 'agents:act'],
    act: ({ plane }, by) => plane.deleteTaskSource(by, 'source'),
    effect: 'changes',
  }),
  receiveWebhook: {
    needs: { none: 'the source signs what its service sends' },
    act: ({ plane }) =>
      plane.receiveWebhook('github', {
        body: Buffer.from('{"repository":{"full_name":"acme/shop"}}'),
        headers: new Headers(),
      }),
    effect: 'unauthenticated',
    account: signed('unsigned, changed or signed with another secret'),
    agent: { none: 'it takes no caller' },
    workspace: signed('another workspace'),
    expired: signed('can no longer sign in'),
    revoked: signed('removed'),
  },
};

/** The scene has one: `recipe`. It has no account in it. */
const recipeActs: Table<keyof RecipeActs> = {
  listRecipes: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.listRecipes(by),
    effect: 'answers',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  getRecipe: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.getRecipe(by, 'recipe'),
    effect: 'answers',
    ...seen,
  }),
  setRecipe: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.setRecipe(by, 'recipe', { steps: [{ prompt: 'Look again', tools: [] }] }),
    effect: 'changes',
    workspace: { none: 'it makes one of its own: see tests/e2e/isolation-plane.test.ts' },
  }),
  removeRecipe: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.removeRecipe(by, 'recipe'),
    effect: 'changes',
  }),
};

export const issueActs: Table<keyof IssueActs | keyof RecipeActs | keyof TaskSourceActs> = {
  ...sourceActs,
  ...recipeActs,
  createIssue: operating({
    needs: ['tools:call'],
    act: ({ plane }, by) => plane.createIssue(by, { title: 'It breaks' }),
    effect: 'changes',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  listIssues: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.listIssues(by),
    effect: 'answers',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  getIssue: operating({
    needs: ['tools:read'],
    act: ({ plane, issue }, by) => plane.getIssue(by, issue),
    effect: 'answers',
    ...seen,
  }),
  updateIssue: operating({
    needs: ['tools:call'],
    act: ({ plane, issue }, by) => plane.updateIssue(by, issue, { title: 'It breaks often' }),
    effect: 'changes',
    workspace: 'not_found',
    agent: ofWorkspace,
  }),
  commentIssue: operating({
    needs: ['tools:call'],
    act: ({ plane, issue }, by) => plane.commentIssue(by, issue, 'Since yesterday'),
    effect: 'changes',
    ...seen,
  }),
  assignIssue: operating({
    needs: ['tools:call', 'agents:act'],
    act: ({ plane, issue }, by) => plane.assignIssue(by, issue, { agent: 'tester' }),
    effect: 'changes',
  }),
  // Nobody has been given the issue of the scene: see flows/tasks/issues.test.ts for one that has an agent.
  unassignIssue: operating({
    needs: ['tools:call'],
    act: ({ plane, issue }, by) => plane.unassignIssue(by, issue),
    effect: 'conflict',
    workspace: 'not_found',
    agent: 'conflict',
  }),
  retryIssue: operating({
    needs: ['tools:call', 'agents:act'],
    act: ({ plane, issue }, by) => plane.retryIssue(by, issue),
    effect: 'conflict',
  }),
  cancelIssue: operating({
    needs: ['tools:call'],
    act: ({ plane, issue }, by) => plane.cancelIssue(by, issue),
    effect: 'changes',
    agent: ofWorkspace,
  }),
  // The issue of the scene asks nobody: see tests/tasks/checks.test.ts for one that does.
  decideCheck: operating({
    needs: ['approvals:decide'],
    act: ({ plane, issue }, by) => plane.decideCheck(by, issue, { check: 0, accepted: true }),
    effect: 'conflict',
  }),
  getIssueTimeline: operating({
    needs: ['tools:read'],
    act: ({ plane, issue }, by) => plane.getIssueTimeline(by, issue),
    effect: 'answers',
    ...seen,
  }),
  followIssue: operating({ needs: ['tools:read'], act: firstOf, effect: 'answers', ...seen }),
  getToolConfig: operating({
    needs: ['grants:read'],
    act: ({ plane }, by) => plane.getToolConfig(by, place),
    effect: 'answers',
    workspace: 'nothing',
  }),
  putToolConfig: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.putToolConfig(by, place, { disabled: ['math'] }),
    effect: 'changes',
    workspace: 'nothing',
  }),
  getEffectiveToolConfig: operating({
    needs: ['grants:read'],
    act: ({ plane }, by) => plane.getEffectiveToolConfig(by, place),
    effect: 'answers',
    workspace: 'nothing',
  }),
};

const org = { kind: 'org', id: 'own' } as const;
/** Nothing on GitHub is in the scene: see flows/tasks/places.test.ts and merge.test.ts for what there is to move and to merge. */
const pullRequest = 'github:acme/shop#1';

export const placeActs: Table<keyof PlaceActs> = {
  listPlaces: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.listPlaces(by, 'org'),
    effect: 'answers',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  getPlace: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.getPlace(by, org.kind, org.id),
    effect: 'answers',
    ...seen,
  }),
  updatePlace: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.updatePlace(by, org, { limits: { maxRunning: 3 } }),
    effect: 'changes',
    workspace: { none: 'it makes one of its own: see tests/e2e/isolation-plane.test.ts' },
  }),
  moveCard: operating({
    needs: ['tools:call'],
    act: ({ plane, issue }, by) => plane.moveCard(by, 'board', { issue, column: 'Done' }),
    effect: 'not_found',
    agent: 'not_found',
  }),
  mergePullRequest: operating({
    needs: ['tools:call'],
    act: ({ plane }, by) => plane.mergePullRequest(by, pullRequest),
    effect: 'not_found',
    agent: 'not_found',
  }),
  callOffMerge: operating({
    needs: ['tools:call'],
    act: ({ plane }, by) => plane.callOffMerge(by, pullRequest),
    effect: 'not_found',
    agent: 'not_found',
  }),
  startBillingPeriod: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.startBillingPeriod(by, org.id),
    effect: 'changes',
  }),
};
