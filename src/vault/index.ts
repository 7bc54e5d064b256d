/** Secrets at rest. */
export { type Keyring, keyringFromText, keyringInFile, keyringInMemory, keyringMissing } from './keyring.js';
export { getKeyId, type SecretPlace } from './seal.js';
export { createVault, type Rotation, type Vault } from './vault.js';
