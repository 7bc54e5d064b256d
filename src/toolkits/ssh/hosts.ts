/** The machines of a grant. Nobody learns whether others are set up. */
import { HelveError } from '../../domain/errors.js';
import type { Endpoint } from '../../domain/reach.js';
import type { SshConfig, SshHost, SshSettings } from './shapes.js';

export interface Target extends SshHost {
  readonly name: string;
  /** Its place in `helve.yaml`. */
  readonly setting: string;
}

/** Throws `forbidden`, or `invalid_config` for a machine that the grant names but the settings lack. */
export function getTarget(name: string, settings: SshSettings, config: SshConfig): Target {
  const setting = `toolkits.ssh.hosts.${name}`;
  if (!config.allowed_hosts.includes(name)) {
    const known = config.allowed_hosts.flatMap((allowed) => described(allowed, settings));
    throw new HelveError('forbidden', `The host ${JSON.stringify(name)} is not one that you may use`, {
      hint:
        known.length > 0
          ? `Use one of: ${known.join(', ')}.`
          : 'Ask the operator to set up a host under toolkits.ssh.hosts in helve.yaml and to list it under `allowed_hosts` in the tool_config of run_ssh_command.',
    });
  }
  const host = findHost(name, settings);
  if (!host) {
    throw new HelveError('invalid_config', `The host ${name} is allowed, but ${setting} in helve.yaml is not set`, {
      hint: 'The operator must set its address, user, private_key and host_key.',
    });
  }
  return { ...host, name, setting };
}

export function listEndpoints(settings: SshSettings, config: SshConfig): Endpoint[] {
  return config.allowed_hosts.flatMap((name) => {
    const host = findHost(name, settings);
    return host ? [getEndpoint(host)] : [];
  });
}

export function getEndpoint({ address, port }: SshHost): Endpoint {
  return { host: address, port };
}

function described(name: string, settings: SshSettings): string[] {
  const host = findHost(name, settings);
  if (!host) return [];
  return [host.description === undefined ? name : `${name} (${host.description})`];
}

function findHost(name: string, { hosts }: SshSettings): SshHost | undefined {
  return Object.hasOwn(hosts, name) ? hosts[name] : undefined;
}
