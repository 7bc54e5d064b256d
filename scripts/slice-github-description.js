/**
 * Writes the part of GitHub's OpenAPI document that tests need: the operations of our toolkit and what they refer to. The mock
 * server takes minutes to read the whole document of 13 MB, and its package has 385 MB. Run this when the toolkit uses a new
 * operation:
 *   npm install --prefix <folder> --no-save @octokit/openapi@23
 *   node scripts/slice-github-description.js <folder>/node_modules/@octokit/openapi
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/slice-github-description.js <folder of @octokit/openapi>');
  process.exit(2);
}

/** By their names in GitHub's own document. */
const operations = [
  'GET /user',
  'POST /app/installations/{installation_id}/access_tokens',
  'GET /installation/repositories',
  'GET /user/repos',
  'POST /user/repos',
  'GET /orgs/{org}/repos',
  'POST /orgs/{org}/repos',
  'GET /users/{username}/repos',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/branches',
  'GET /repos/{owner}/{repo}/branches/{branch}',
  'GET /repos/{owner}/{repo}/git/ref/{ref}',
  'POST /repos/{owner}/{repo}/git/refs',
  'DELETE /repos/{owner}/{repo}/git/refs/{ref}',
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
  'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
  'GET /repos/{owner}/{repo}/commits',
  'GET /repos/{owner}/{repo}/commits/{ref}',
  'GET /repos/{owner}/{repo}/compare/{basehead}',
  'GET /repos/{owner}/{repo}/contents/{path}',
  'PUT /repos/{owner}/{repo}/contents/{path}',
  'DELETE /repos/{owner}/{repo}/contents/{path}',
  'GET /repos/{owner}/{repo}/issues',
  'POST /repos/{owner}/{repo}/issues',
  'GET /repos/{owner}/{repo}/issues/{issue_number}',
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/events',
  'GET /repos/{owner}/{repo}/issues/comments',
  'GET /repos/{owner}/{repo}/issues/events',
  'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'GET /repos/{owner}/{repo}/labels',
  'POST /repos/{owner}/{repo}/labels',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}',
  'GET /repos/{owner}/{repo}/milestones',
  'GET /repos/{owner}/{repo}/pulls',
  'POST /repos/{owner}/{repo}/pulls',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
  'GET /repos/{owner}/{repo}/commits/{ref}/status',
  'POST /repos/{owner}/{repo}/statuses/{sha}',
  'POST /repos/{owner}/{repo}/check-runs',
  'GET /repos/{owner}/{repo}/actions/runs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
  'GET /repos/{owner}/{repo}/releases',
  'POST /repos/{owner}/{repo}/releases',
  'GET /search/code',
  'GET /search/repositories',
  'GET /search/issues',
  'GET /search/users',
];

function sliceDocument({ openapi, info, paths, components }) {
  const slice = { openapi, info, paths: {}, components: {} };
  const seen = new Set();

  function keep(node) {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node;
    if (typeof $ref === 'string' && !seen.has($ref)) {
      seen.add($ref);
      const [, , kind = '', name = ''] = $ref.split('/');
      const target = components[kind]?.[name];
      slice.components[kind] = { ...slice.components[kind], [name]: target };
      keep(target);
    }
    Object.values(node).forEach(keep);
  }

  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    const found = paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`GitHub has no operation ${operation}`);
    const lighter = withoutAnsweredSchemas(found);
    slice.paths[path] = { ...slice.paths[path], [method.toLowerCase()]: lighter };
    keep(lighter);
  }
  return makeCompilable(slice);
}

/** If the document has an example, prism answers with it; compiling the schema next to it would take most of the time. */
function withoutAnsweredSchemas(operation) {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const json = response.content?.['application/json'];
    if (json?.examples === undefined) return [status, response];
    return [status, { ...response, content: { 'application/json': { examples: json.examples } } }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

/**
 * prism cannot compile `nullable` without a `type`, and then accepts any body, so its meaning is written out: the schema, or
 * null. A few examples contain a reference to another example, one level too deep, where only a value is allowed.
 */
function makeCompilable(node) {
  if (Array.isArray(node)) return node.map(makeCompilable);
  if (typeof node !== 'object' || node === null) return node;
  const made = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, makeCompilable(value)]));
  const example = made.value;
  if (typeof example?.$ref === 'string' && example.$ref.startsWith('#/components/examples/')) return example;
  if (made.nullable !== true || typeof made.type === 'string') return made;
  const { nullable: _, ...rest } = made;
  return { anyOf: [rest, { type: 'object', nullable: true, not: { type: 'object' } }] };
}

const text = readFileSync(join(folder, 'generated', 'api.github.com.json'), 'utf8');
const target = new URL('../tests/data/github-openapi.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(sliceDocument(JSON.parse(text)))}\n`);
