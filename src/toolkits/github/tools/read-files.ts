/** Files and folders at a commit. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { fillRequest } from '../../../util/fill-request.js';
import { defineRecord, listFrom } from '../../../util/record.js';
import { conditionalOutput } from '../answers.js';
import { defineGitHubTool } from '../define-tool.js';
import { etag, path, ref, repository } from '../inputs.js';
import { contentsPath, getUnlessSame } from '../requests.js';
import { decodeContent, entryRecord, fileRecord, type RawContent } from '../shapes/file.js';

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
  outputSchema: z.strictObject({ file: fileRecord.shape.optional(), ...conditionalOutput }),
  annotations: effects.reads,
  capabilities: ['get file', 'read file'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', path: 'README.md', ref: 'main' } }],
  async execute({ path, ref, encoding, etag, ...input }, { service }) {
    const request = { path: contentsPath(input, path), query: { ref }, etag };
    return getUnlessSame(service, request, async (raw: RawContent | readonly RawContent[]) => {
      if (!('sha' in raw)) {
        throw new HelveError('invalid_input', `${path} is a folder`, {
          hint: 'Call list_files, and use a path that it shows.',
        });
      }
      if (raw.type !== 'file') {
        throw new HelveError('invalid_input', `${path} is a ${raw.type}, which has no content to show here`);
      }
      return { file: fileRecord.read({ ...raw, ...decodeContent(await readContent(raw), encoding) }) };
    });

    /** GitHub leaves out a content over 1 MB; the blob has it. */
    async function readContent({ encoding, content = '', sha }: RawContent): Promise<string> {
      if (encoding === 'base64') return content;
      const { path } = fillRequest('GET /repos/{owner}/{repo}/git/blobs/{sha}', { ...input, sha });
      return (await service.json<{ readonly content: string }>({ path })).content;
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
  outputSchema: z.strictObject({ entries: z.array(entryRecord.shape) }),
  annotations: effects.reads,
  capabilities: ['list files', 'list folder'],
  async execute({ path = '', ref, ...input }, { service }) {
    type Raw = RawContent | readonly RawContent[];
    const body = await service.json<Raw>({ path: contentsPath(input, path), query: { ref } });
    if ('sha' in body) {
      throw new HelveError('invalid_input', `${path} is a ${body.type}, not a folder`, { hint: 'Use get_file.' });
    }
    return { entries: body.map((entry) => entryRecord.read(entry)) };
  },
});

const treeEntryRecord = defineRecord({
  path: z.string(),
  type: z.string().describe('blob, tree or commit'),
  size: z.int().optional(),
});

const treeRecord = defineRecord({
  sha: z.string().describe('Of the tree'),
  entries: listFrom('tree', treeEntryRecord),
  truncated: z.boolean().describe('The repository has more: list its folders one by one with list_files'),
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
  outputSchema: treeRecord.shape,
  annotations: effects.reads,
  capabilities: ['list files', 'find file'],
  async execute({ ref = 'HEAD', path: below, ...input }, { service }) {
    const { path } = fillRequest('GET /repos/{owner}/{repo}/git/trees/{ref}', { ...input, ref });
    const tree = treeRecord.read(await service.json({ path, query: { recursive: '1' } }));
    if (below === undefined) return tree;
    return { ...tree, entries: tree.entries.filter((entry) => entry.path.startsWith(`${below}/`)) };
  },
});
