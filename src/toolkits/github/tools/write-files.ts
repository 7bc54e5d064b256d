/**
 * Commits of one file. GitHub accepts a write only if the file is as the caller says: it has this sha, or does not exist.
 * A second write with the same sha would be refused, also if the first succeeded and only its answer was lost: hence
 * `writeOnce`.
 */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import { defineGitHubTool } from '../define-tool.js';
import { branch, path, repository, sha } from '../inputs.js';
import { contentsPath, findJson, writeOnce } from '../requests.js';
import { blobSha, type RawContent, writeRecord } from '../shapes/file.js';

const common = {
  ...repository,
  path,
  message: z.string().min(1).max(65_536).describe('Of the commit'),
  branch: branch.optional().describe('Default: the default branch'),
};
const content = {
  content: z.string(),
  encoding: z.enum(['text', 'base64']).default('text').describe('Of content'),
};

type Write = z.infer<z.ZodObject<typeof common & typeof content>> & { readonly sha?: string };

async function put(service: ServiceClient, { owner, repo, path, encoding, content, ...rest }: Write) {
  const bytes = Buffer.from(content, encoding === 'text' ? 'utf8' : 'base64');
  const base64 = bytes.toString('base64');
  if (encoding === 'base64' && base64.replace(/=+$/, '') !== content.replace(/\s/g, '').replace(/=+$/, '')) {
    throw new HelveError('invalid_input', 'content is not Base64', {
      hint: 'Or send it as it is with encoding "text".',
    });
  }
  const address = contentsPath({ owner, repo }, path);
  return writeOnce(
    async () => {
      const json = { ...rest, content: base64 };
      const written = await service.json<object>({ method: 'PUT', path: address, json });
      return writeRecord.read({ ...written, path });
    },
    async () => {
      const content = await findJson<RawContent>(service, { path: address, query: { ref: rest.branch } });
      return content?.sha === blobSha(bytes) ? writeRecord.read({ path, content, commit: {} }) : undefined;
    },
  );
}

export const createFile = defineGitHubTool({
  name: 'create_file',
  title: 'Create a file',
  description: 'Commit a new file. Refused where the path is taken: then use update_file.',
  inputSchema: z.strictObject({ ...common, ...content }),
  outputSchema: writeRecord.shape,
  annotations: effects.createsOnce,
  capabilities: ['create file', 'commit file'],
  examples: [
    {
      input: {
        owner: 'octocat',
        repo: 'hello-world',
        path: 'docs/notes.md',
        content: '# Notes\n',
        message: 'Add notes',
        branch: 'notes',
      },
    },
  ],
  execute: (input, { service }) => put(service, input),
});

export const updateFile = defineGitHubTool({
  name: 'update_file',
  title: 'Update a file',
  description: 'Commit a new content of a file, whole. Refused if the file is no longer the one whose sha is given.',
  inputSchema: z.strictObject({
    ...common,
    sha: sha.describe('Of the content to be replaced, as get_file tells it'),
    ...content,
  }),
  outputSchema: writeRecord.shape,
  annotations: effects.replaces,
  capabilities: ['update file', 'commit file'],
  execute: (input, { service }) => put(service, input),
});

/** `write`, not `destructive`: the content stays in the history. */
export const deleteFile = defineGitHubTool({
  name: 'delete_file',
  title: 'Delete a file',
  description: 'Commit the removal of a file. Refused if it is no longer the one whose sha is given.',
  inputSchema: z.strictObject({ ...common, sha: sha.describe('Of its content, as get_file tells it') }),
  outputSchema: writeRecord.shape,
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['delete file'],
  async execute({ owner, repo, path, ...json }, { service }) {
    const address = contentsPath({ owner, repo }, path);
    return writeOnce(
      async () => {
        const written = await service.json<object>({ method: 'DELETE', path: address, json });
        return writeRecord.read({ ...written, path });
      },
      async () => {
        const found = await findJson(service, { path: address, query: { ref: json.branch } });
        return found === undefined ? { path } : undefined;
      },
    );
  },
});
