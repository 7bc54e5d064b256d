/** The tools for files. */
import type { ToolDefinition } from '../../../domain/tool.js';
import { createDirectory } from './create-directory.js';
import { deleteFile } from './delete-file.js';
import { fileInfo } from './file-info.js';
import { listDir } from './list-dir.js';
import { moveFile } from './move-file.js';
import { readFile } from './read-file.js';
import { searchFiles } from './search-files.js';
import { writeFile } from './write-file.js';

export const fileTools: readonly ToolDefinition[] = [
  readFile,
  writeFile,
  listDir,
  createDirectory,
  deleteFile,
  moveFile,
  fileInfo,
  searchFiles,
];
