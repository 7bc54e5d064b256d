/** References of issues and pull requests of GitHub: `github:acme/shop#12`. */
export interface GitHubPlace {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

/** Undefined for a reference of something else. */
export function readGitHubRef(ref: string): GitHubPlace | undefined {
  const [, owner = '', repo = '', number] = /^github:([^/#\s]+)\/([^/#\s]+)#(\d{1,15})$/.exec(ref) ?? [];
  return number === undefined ? undefined : { owner, repo, number: Number(number) };
}
