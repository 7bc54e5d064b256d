/** Archives of the record. */
export { readArchive } from './archive-file.js';
export { type Archived, archiveName, archiveRecord } from './archive-record.js';
