/** The names of repositories, as deliveries give them. */
import { HelveError } from '../../domain/errors.js';

/**
 * Throws `invalid_input` for a name without its service: it would be another repository than that of deliveries, whose settings it would
 * not have. `at`: where it was given.
 */
export function requireRepoName(at: string, repo: string): void {
  if (/^[a-z][a-z0-9-]*:[^/#\s]+\/[^/#\s]+$/.test(repo)) return;
  const isBare = /^[^:/#\s]+\/[^/#\s]+$/.test(repo);
  const hint = isBare
    ? `If it is at GitHub, name it github:${repo}.`
    : 'Name a repository of GitHub as github:acme/shop, and a team of Linear as linear:acme/ENG.';
  throw new HelveError('invalid_input', `${at}: ${JSON.stringify(repo.slice(0, 100))} does not name a repository`, {
    hint,
  });
}
