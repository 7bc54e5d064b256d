/**
 * Commits of one file. GitHub accepts a write only if the file is as the caller says: it has this sha, or does not exist.
 * A second write with the same sha would be refused, also if the first succeeded and only its answer was lost: hence
 * `writeOnce`.
 */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import type { Idempotency } from '../../../domain/tool.js';
import { defineGitHubTool } from '../define-tool.js';
import { branch, path, repository, sha } from '../inputs.js';
import { byAbsence, contentsPath, findJson, writeOnce } from '../requests.js';
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

function readBytes({ encoding, content }: Write): Buffer {
  const bytes = Buffer.from(content, encoding === 'text' ? 'utf8' : 'base64');
  if (
    encoding === 'base64' &&
    bytes.toString('base64').replace(/=+$/, '') !== content.replace(/\s/g, '').replace(/=+$/, '')
  ) {
    throw new HelveError('invalid_input', 'content is not Base64', {
      hint: 'Or send it as it is with encoding "text".',
    });
  }
  return bytes;
}

async function put(service: ServiceClient, write: Write) {
  const { owner, repo, path, encoding: _, content: __, ...rest } = write;
  const json = { ...rest, content: readBytes(write).toString('base64') };
  return writeOnce(
    async () => {
      const written = await service.json<object>({ method: 'PUT', path: contentsPath({ owner, repo }, path), json });
      return writeRecord.read({ ...written, path });
    },
    () => findWritten(service, write),
  );
}

/** Returns the file if it has the content that was to be written. */
async function findWritten(service: ServiceClient, write: Write) {
  const { owner, repo, path, branch } = write;
  const address = contentsPath({ owner, repo }, path);
  const content = await findJson<RawContent>(service, { path: address, query: { ref: branch } });
  return content?.sha === blobSha(readBytes(write)) ? writeRecord.read({ path, content, commit: {} }) : undefined;
}

const byContent: Idempotency = { by: 'probe', how: 'A file that has the wanted content was written' };

export const createFile = defineGitHubTool({
  name: 'create_file',
  title: 'Create a file',
  description: 'Commit a new file. Refused where the path is taken: then use update_file.',
  inputSchema: z.strictObject({ ...common, ...content }),
  outputSchema: writeRecord.shape,
  annotations: effects.createsOnce,
  idempotency: byContent,
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
  probe: (input, { service }) => findWritten(service, input),
});

export const updateFile = defineGitHubTool({
  name: 'update_file',
  title: 'Update a file',
  description: 'Commit a new content of a file, whole. Refused if the file is no longer the one whose sha is given.',
  inputSchema: z.strictObject({
    ...common,
    sha: sha.describe('Of the content to be replaced, as get_file shows it'),
    ...content,
  }),
  outputSchema: writeRecord.shape,
  annotations: effects.replaces,
  idempotency: byContent,
  capabilities: ['update file', 'commit file'],
  execute: (input, { service }) => put(service, input),
  probe: (input, { service }) => findWritten(service, input),
});

/** `write`, not `destructive`: the content stays in the history. */
export const deleteFile = defineGitHubTool({
  name: 'delete_file',
  title: 'Delete a file',
  description: 'Commit the removal of a file. Refused if it is no longer the one whose sha is given.',
  inputSchema: z.strictObject({ ...common, sha: sha.describe('Of its content, as get_file shows it') }),
  outputSchema: writeRecord.shape,
  annotations: effects.replaces,
  idempotency: byAbsence,
  risk: 'write',
  capabilities: ['delete file'],
  async execute({ owner, repo, path, ...json }, { service }) {
    const address = contentsPath({ owner, repo }, path);
    return writeOnce(
      async () => {
        const written = await service.json<object>({ method: 'DELETE', path: address, json });
        return writeRecord.read({ ...written, path });
      },
      () => findAbsence(service, { owner, repo, path, branch: json.branch }),
    );
  },
  probe: (input, { service }) => findAbsence(service, input),
});

async function findAbsence(
  service: ServiceClient,
  { owner, repo, path, branch }: Pick<Write, 'owner' | 'repo' | 'path' | 'branch'>,
) {
  const address = contentsPath({ owner, repo }, path);
  return (await findJson(service, { path: address, query: { ref: branch } })) === undefined ? { path } : undefined;
}
