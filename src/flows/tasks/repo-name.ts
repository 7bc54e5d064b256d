/**
 * The names of repositories, and of the issues and pull requests in them, as deliveries give them: `github:acme/shop`, `github:acme/shop#12`,
 * `linear:acme/ENG`. This file alone reads them.
 */
import { HelveError } from '../../domain/errors.js';

export interface RepoName {
  /** `github`. */
  readonly service: string;
  /** At Linear the organisation. */
  readonly owner: string;
  /** At Linear the key of the team. */
  readonly name: string;
}

/** An issue or a pull request of GitHub. */
export interface GitHubPlace {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

const form = /^(?<service>[a-z][a-z0-9-]*):(?<owner>[^:/#\s]+)\/(?<name>[^:/#\s]+?)(?:#(?<number>\d{1,15}))?$/;

/** Undefined for anything else than a repository or a team. */
export function readRepoName(ref: string): RepoName | undefined {
  const { number, ...name } = form.exec(ref)?.groups ?? {};
  return number === undefined && name.service !== undefined ? (name as unknown as RepoName) : undefined;
}

/** Undefined for anything else than an issue or a pull request of GitHub. */
export function readGitHubPlace(ref: string): GitHubPlace | undefined {
  const { service, owner = '', name = '', number } = form.exec(ref)?.groups ?? {};
  return service === 'github' && number !== undefined ? { owner, repo: name, number: Number(number) } : undefined;
}

/** The organisation of a repository: `github:acme` of `github:acme/shop`. */
export function orgOf(repo: string | undefined): string | undefined {
  // Names were not always checked when they were written: acme/shop can be there.
  const at = repo?.indexOf('/') ?? -1;
  return at > 0 ? repo?.slice(0, at) : undefined;
}

/**
 * Throws `invalid_input` for a name without its service: it would be another repository than that of deliveries, whose settings it would
 * not have. `at`: where it was given.
 */
export function requireRepoName(at: string, repo: string): RepoName {
  const read = readRepoName(repo);
  if (read) return read;
  const hint = readRepoName(`github:${repo}`)
    ? `If it is at GitHub, name it github:${repo}.`
    : 'Name a repository of GitHub as github:acme/shop, and a team of Linear as linear:acme/ENG.';
  throw new HelveError('invalid_input', `${at}: ${JSON.stringify(repo.slice(0, 100))} does not name a repository`, {
    hint,
  });
}
