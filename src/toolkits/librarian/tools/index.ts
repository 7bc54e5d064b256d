/** The librarian's tools. */
import type { ToolDefinition } from '../../../domain/tool.js';
import { librarianDelete } from './librarian-delete.js';
import { librarianGet } from './librarian-get.js';
import { librarianList } from './librarian-list.js';
import { librarianQuery } from './librarian-query.js';
import { librarianSearch } from './librarian-search.js';
import { librarianStore } from './librarian-store.js';

export const librarianTools: readonly ToolDefinition[] = [
  librarianStore,
  librarianGet,
  librarianQuery,
  librarianSearch,
  librarianList,
  librarianDelete,
];
