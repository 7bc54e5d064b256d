/** What the command line does directly with an installation's files, without a server. */
export { installDirectory } from './install-directory.js';
export { verifyStore } from './verify-store.js';
