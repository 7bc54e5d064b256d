/** References of repositories, issues and pull requests of GitHub: `github:acme/shop`, `github:acme/shop#12`. */
export interface GitHubRepo {
  readonly owner: string;
  readonly repo: string;
}

export interface GitHubPlace extends GitHubRepo {
  readonly number: number;
}

/** Undefined for a reference of something else. */
export function readGitHubRepo(ref: string): GitHubRepo | undefined {
  const [, owner, repo] = /^github:([^/#\s]+)\/([^/#\s]+)$/.exec(ref) ?? [];
  return owner === undefined || repo === undefined ? undefined : { owner, repo };
}

/** Undefined for a reference of something else. */
export function readGitHubRef(ref: string): GitHubPlace | undefined {
  const [, owner = '', repo = '', number] = /^github:([^/#\s]+)\/([^/#\s]+)#(\d{1,15})$/.exec(ref) ?? [];
  return number === undefined ? undefined : { owner, repo, number: Number(number) };
}
