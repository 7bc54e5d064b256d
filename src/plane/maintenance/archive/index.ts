/** Archives of the record. */
export { readArchive } from './archive-file.js';
export { type Archived, archiveName, archiveRecord, archiveStore } from './archive-record.js';
