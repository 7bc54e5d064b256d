/** What the command line does directly with an installation's files, without a server. */

export { getLocation } from '../wiring/places.js';
export { type Archived, archiveRecord } from './archive/index.js';
export {
  type BackupReport,
  backup,
  type CopyFacts,
  copyKeys,
  move,
  restore,
} from './backup/index.js';
export { installDirectory } from './install-directory.js';
export { addPackages } from './install-packages.js';
export { createCopyEvents, noteBackup } from './note-in-record.js';
export { checkUpgrade, type UpgradeCheck, upgradeStore } from './upgrade.js';
export { verifyStore } from './verify-store.js';
