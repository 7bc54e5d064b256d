/** Files and folders at a commit. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineGitHubTool } from '../define-tool.js';
import { conditionalOutput, etag, path, ref, repository } from '../inputs.js';
import { contentsPath, getUnlessSame, repoPath } from '../requests.js';
import { entryShape, fileShape, type RawContent, toEntry, toFile } from '../shapes/file.js';

const at = ref.optional().describe('Branch, tag or commit SHA. Default: the default branch');

export const getFile = defineGitHubTool({
  name: 'get_file',
  title: 'Get a file',
  description:
    'The content of a file as text, or as Base64 where it is not text, and the sha that a change of it needs.',
  inputSchema: z.strictObject({
    ...repository,
    path,
    ref: at,
    encoding: z.enum(['auto', 'base64']).default('auto'),
    etag,
  }),
  outputSchema: z.strictObject({ file: fileShape.optional(), ...conditionalOutput }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['get file', 'read file'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', path: 'README.md', ref: 'main' } }],
  async execute({ path, ref, encoding, etag, ...input }, { service }) {
    type Raw = RawContent | readonly RawContent[];
    const request = { path: contentsPath(input, path), query: { ref } };
    const { body, etag: tag } = await getUnlessSame<Raw>(service, request, etag);
    if (body === undefined) return { etag: tag, not_modified: true as const };
    if (!('sha' in body)) {
      throw new HelveError('invalid_input', `${path} is a folder`, {
        hint: 'Use list_files, then a path of its list.',
      });
    }
    if (body.type !== 'file') {
      throw new HelveError('invalid_input', `${path} is a ${body.type}, which has no content of its own here`);
    }
    return { file: toFile(body, await contentOf(body), encoding), etag: tag };

    /** Over 1 MB GitHub leaves the content out; the blob has it. */
    async function contentOf({ encoding, content = '', sha }: RawContent): Promise<string> {
      if (encoding === 'base64') return content;
      const blob = repoPath(input, 'git', 'blobs', sha);
      return (await service.json<{ readonly content: string }>({ path: blob })).content;
    }
  },
});

export const listFiles = defineGitHubTool({
  name: 'list_files',
  title: 'List the files of a folder',
  description: 'What lies in one folder of a repository, at most 1,000 entries. For everything below it: list_tree.',
  inputSchema: z.strictObject({
    ...repository,
    path: path.optional().describe('Folder, without a slash at either end. Default: the root'),
    ref: at,
  }),
  outputSchema: z.strictObject({ entries: z.array(entryShape) }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list files', 'list folder'],
  async execute({ path = '', ref, ...input }, { service }) {
    type Raw = RawContent | readonly RawContent[];
    const body = await service.json<Raw>({ path: contentsPath(input, path), query: { ref } });
    if ('sha' in body) {
      throw new HelveError('invalid_input', `${path} is a ${body.type}, not a folder`, { hint: 'Use get_file.' });
    }
    return { entries: body.map(toEntry) };
  },
});

export const listTree = defineGitHubTool({
  name: 'list_tree',
  title: 'List all files',
  description: 'Paths of all files and folders of a repository at a commit, in one call.',
  inputSchema: z.strictObject({
    ...repository,
    ref: at,
    path: path.optional().describe('Only what is below this folder'),
  }),
  outputSchema: z.strictObject({
    sha: z.string().describe('Of the tree'),
    entries: z.array(
      z.strictObject({ path: z.string(), type: z.string().describe('blob, tree or commit'), size: z.int().optional() }),
    ),
    truncated: z.boolean().describe('The repository has more: list its folders one by one with list_files'),
  }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list files', 'find file'],
  async execute({ ref = 'HEAD', path: below, ...input }, { service }) {
    interface Raw {
      readonly sha: string;
      readonly truncated: boolean;
      readonly tree: readonly { readonly path: string; readonly type: string; readonly size?: number }[];
    }
    const path = repoPath(input, 'git', 'trees', ref);
    const { sha, truncated, tree } = await service.json<Raw>({ path, query: { recursive: '1' } });
    const wanted = below === undefined ? tree : tree.filter((entry) => entry.path.startsWith(`${below}/`));
    return { sha, truncated, entries: wanted.map(({ path, type, size }) => ({ path, type, size })) };
  },
});
