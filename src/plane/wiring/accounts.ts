/** The parts for accounts in this installation: its keys, its OAuth clients, its egress. */
import { join } from 'node:path';
import type { ConfigFile } from '../../config/index.js';
import { createGate } from '../../connections/index.js';
import type { Storage } from '../../domain/storage.js';
import type { Instance } from '../../flows/calling/index.js';
import { type AccountParts, createOAuthClients } from '../../flows/connecting/index.js';
import type { ConfigurationCache } from '../../flows/workspaces/index.js';
import type { Registry } from '../../registry/index.js';
import {
  createVault,
  type Keyring,
  keyringFromText,
  keyringInFile,
  keyringInMemory,
  keyringMissing,
} from '../../vault/index.js';

interface Wiring extends Pick<AccountParts, 'egress' | 'publicUrl' | 'workers' | 'onRenewal'> {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly registry: Registry;
  readonly configurations: ConfigurationCache;
  readonly config: ConfigFile;
  readonly instance: Instance;
  readonly keys: KeyOptions;
}

interface KeyOptions {
  readonly dataDir?: string;
  readonly database?: string;
  readonly vaultKeys?: string;
}

export function wireAccounts({ config, instance, keys, ...parts }: Wiring): AccountParts {
  const vault = createVault(getKeyring(keys));
  return {
    ...parts,
    vault,
    gate: createGate(),
    instance,
    oauthClients: createOAuthClients(config, parts.registry, parts.storage, vault),
  };
}

/** The environment's keys, or a file next to the data; in memory they end with the process, like everything there. */
function getKeyring({ dataDir, database, vaultKeys }: KeyOptions): Keyring {
  if (vaultKeys !== undefined) return keyringFromText(vaultKeys);
  if (dataDir !== undefined) return keyringInFile(join(dataDir, 'vault-keys.json'));
  if (database === undefined || database === ':memory:') return keyringInMemory();
  return /^postgres(?:ql)?:/.test(database) ? keyringMissing() : keyringInFile(`${database}.vault-keys.json`);
}
