/** The tools that fill and search the knowledge index. */
import { ingestDocument } from './ingest-document.js';
import { ingestFiles } from './ingest-files.js';
import { listKnowledge } from './list-knowledge.js';
import { removeKnowledge } from './remove-knowledge.js';
import { searchCodebase } from './search-codebase.js';
import { searchFormulas } from './search-formulas.js';
import { searchImages } from './search-images.js';
import { searchKnowledge } from './search-knowledge.js';
import { searchMultimodal } from './search-multimodal.js';
import { searchTables } from './search-tables.js';
import { semanticSearch } from './semantic-search.js';

export const knowledgeTools = [
  ingestDocument,
  ingestFiles,
  listKnowledge,
  removeKnowledge,
  searchKnowledge,
  semanticSearch,
  searchCodebase,
  searchTables,
  searchImages,
  searchFormulas,
  searchMultimodal,
];
