/** What the command line does with an installation's files itself, without a server. */
export { installDirectory } from './install-directory.js';
export { verifyStore } from './verify-store.js';
