/** One list of what is in order with the installation, and what to do about the rest. */
import { environmentVariables } from '../../config/index.js';
import type { ChainReport } from '../../domain/chain.js';
import type { EmbeddingProgress } from '../../domain/discovery.js';
import type { DoctorActs, DoctorCheck } from '../../domain/doctor.js';
import type { PolicyWithoutEffect } from '../../domain/grant.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { MachineCheck } from '../../domain/reach.js';
import type { PlaneParts } from '../../flows/parts.js';
import {
  checkCertificates,
  checkDataFolder,
  checkNode,
  checkPackages,
  checkSystem,
} from '../../util/installation-checks.js';
import { orDidYouMean } from '../../util/nearest.js';
import { packageSetNames } from '../../util/packages.js';
import { checkVault } from '../start/vault-keys.js';
import { checkAddress } from './doctor-address.js';
import { checkClock, describeSize, measureSizes } from './doctor-store.js';
import type { AgentsDoubtfulLimit } from './grants/index.js';

interface Asked extends Pick<Plane, 'healthy' | 'verifyAudit' | 'policies' | 'machineChecks'> {
  /** Of all agents. */
  doubtfulLimits(principal: Principal): Promise<readonly AgentsDoubtfulLimit[]>;
}

/** `asked`: the acts whose answers the list is made of. */
export function createDoctor(
  parts: Pick<PlaneParts, 'dataDir' | 'storage' | 'now' | 'discovery' | 'keepDays' | 'accounts'>,
  asked: Asked,
): DoctorActs {
  const { dataDir } = parts;
  return {
    storeSizes: (principal) => measureSizes(parts, principal),
    async doctor(principal, { record = 'verify' } = {}) {
      const healthy = await asked.healthy().catch(() => false);
      const { withoutEffect } = await asked.policies(principal);
      return [
        checkNode(),
        checkSystem(),
        ...(dataDir === undefined ? [] : [checkDataFolder(dataDir)]),
        ...checkCertificates(environmentVariables().NODE_EXTRA_CA_CERTS),
        ...checkAddress(parts.accounts.publicUrl('')),
        describeStore(healthy),
        // Without the store there is nothing to measure, and the row above says why.
        ...(healthy
          ? [
              describeSize(await measureSizes(parts, principal)),
              await checkClock(parts, principal),
              await checkVault(parts.accounts.vault, parts.storage.system),
            ]
          : []),
        ...(record === 'skip' ? [] : [describeRecord(await asked.verifyAudit(principal))]),
        ...describeEmbeddings(parts.discovery.embeddings()),
        ...withoutEffect.map(describePolicy),
        ...(await asked.doubtfulLimits(principal)).map(describeLimit),
        ...(await asked.machineChecks(principal)).map(describeMachine),
        ...packageSetNames.map((set) => checkPackages(set, dataDir)),
      ];
    },
  };
}

function describeStore(healthy: boolean): DoctorCheck {
  const check = 'server';
  return healthy
    ? { check, state: 'ok', detail: 'answers, and its store can be read and written' }
    : {
        check,
        state: 'failed',
        detail: 'its store cannot be read and written',
        hint: 'Check the disk and the database: free space, rights, connections, and whether it is a standby, which accepts no writes.',
      };
}

function describeRecord({ ok, rows, firstBroken }: ChainReport): DoctorCheck {
  const check = 'record';
  return ok || firstBroken === undefined
    ? { check, state: 'ok', detail: `${rows} rows, unbroken` }
    : {
        check,
        state: 'failed',
        detail: `broken at row ${firstBroken.seq}: ${firstBroken.problem}`,
        hint: 'If no key of the vault is missing, somebody changed the store. Keep a copy of it as it is, and find out who can write to it.',
      };
}

function describeEmbeddings(progress: EmbeddingProgress | undefined): DoctorCheck[] {
  if (progress === undefined) return [];
  const { model, vectors, waiting, refused, isFull, failure } = progress;
  const check = 'embeddings';
  const refusals = refused === 0 ? '' : `, ${refused} refused`;
  const detail = `${model}: ${vectors} texts of tools have vectors, ${waiting} wait${refusals}`;
  const off = 'Searches work without them.';
  if (failure !== undefined)
    return [{ check, state: 'warning', detail: `${detail}; the last request failed: ${failure}`, hint: off }];
  if (isFull) return [{ check, state: 'warning', detail: `${detail}; there is no room for more`, hint: off }];
  return [{ check, state: 'ok', detail }];
}

function describePolicy({ policy, path, message, nearest, doubtful }: PolicyWithoutEffect): DoctorCheck {
  return {
    check: `policy ${policy}`,
    state: 'warning',
    detail: `${path} ${doubtful ? 'may have no effect' : 'has no effect'}: ${message}${orDidYouMean(nearest)}`,
    hint: 'Correct the name in the rule, or remove the rule.',
  };
}

function describeLimit({ agent, toolkit, tool, argument, nearest }: AgentsDoubtfulLimit): DoctorCheck {
  return {
    check: `grants of ${agent}`,
    state: 'warning',
    detail: `the limit on ${toolkit}.${tool} may have no effect: the tool does not list the argument ${argument}${orDidYouMean(nearest)}`,
    hint: 'Correct the name in the limits of the grant.',
  };
}

const describeMachine = ({ check, ok, detail }: MachineCheck): DoctorCheck => ({
  check,
  state: ok ? 'ok' : 'warning',
  detail,
});
