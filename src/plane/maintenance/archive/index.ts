/** Archives of the record. */
export { readArchive } from './archive-file.js';
export { type Archived, archiveName, archiveRecord, archiveStore, getEndOfKeeping } from './archive-record.js';
