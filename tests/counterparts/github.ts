/**
 * A GitHub that remembers: prism checks each request against GitHub's own description and makes the answer, and what was written
 * (branches, files, pull requests, comments, labels) is kept here and put into the answers. `effects` counts what was done.
 */
import type { ServerResponse } from 'node:http';
import { blobSha } from '../../src/toolkits/github/shapes/file.js';
import { startPrism } from '../../src/toolkits/github/testing/prism.js';
import type { Counterpart } from './child.js';
import { type Seen, sendJson, startScripted } from './scripted.js';

type Raw = Record<string, unknown>;

export interface RememberingGitHub extends Counterpart {
  /** `branch fix`, `file fix:a.txt`, `pull 2`, `comment 1`, `label 1 x`, in the order in which they were made. */
  readonly effects: string[];
  readonly comments: (Raw & { readonly issue: number; readonly body: string })[];
  readonly pulls: Raw[];
  readonly labels: Map<number, Set<string>>;
  /** The commit that a pull request is at, by its number. Without one it cannot be read. */
  readonly heads: Map<number, string>;
  /** Check runs by commit, as GitHub describes them. */
  readonly runs: Map<string, Raw[]>;
  /** Issues as GitHub describes them, and what happened to them: only what is different from its example. */
  readonly issues: Raw[];
  readonly events: Raw[];
  /** The repositories that there are, by name with their id. Default: every one that is asked for. */
  repositories: ReadonlyMap<string, number> | undefined;
  /** Loses the answers to requests that fit, after they had their effect. */
  loses: (seen: Seen) => boolean;
  /** Answers to requests that fit are held back until the promise is resolved. */
  holds: (seen: Seen) => Promise<void>;
  /** Told of each request. */
  sees: (seen: Seen) => void;
  /** Lists are empty, as if nothing had been made: what looks for an effect does not find it. */
  forgets: boolean;
}

/** What an act answers for what is not there. */
const missing = Symbol('404');

/** Undefined: GitHub refuses it. */
type Act = (match: Readonly<Record<string, string>>, seen: Seen, answer: Raw) => unknown;

/** `firstPull`: the number of the first pull request. */
export async function startGitHub({ firstPull = 2 } = {}): Promise<RememberingGitHub> {
  const [prism, server] = await Promise.all([startPrism(), startScripted()]);
  const branches = new Map<string, string>();
  /** The sha of the content by branch and path. */
  const files = new Map<string, string>();
  const comments: (Raw & { readonly issue: number; readonly body: string })[] = [];
  const github: RememberingGitHub = {
    url: server.url,
    effects: [],
    comments,
    pulls: [],
    labels: new Map(),
    heads: new Map(),
    runs: new Map(),
    issues: [],
    events: [],
    repositories: undefined,
    loses: () => false,
    holds: async () => undefined,
    sees: () => undefined,
    forgets: false,
    close: async () => void (await Promise.all([server.close(), prism.close()])),
  };
  const labelsOf = (issue: number) => [...(github.labels.get(issue) ?? [])].map((name) => ({ name, color: 'ffffff' }));
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

  /** A list of the whole repository, of what was changed since. */
  const listed = (all: readonly Raw[], url: string, like: Raw) => {
    const since = new URL(url, 'http://localhost').searchParams.get('since') ?? '';
    return all.filter(({ updated_at = now() }) => String(updated_at) >= since).map((one) => ({ ...like, ...one }));
  };

  const repositoryOf = (like: Raw, full_name: string, id: number) => ({ ...like, id, full_name });

  const acts: readonly (readonly [request: RegExp, act: Act])[] = [
    [
      /^GET \/repos\/(?<name>[^/]+\/[^/?]+)$/,
      ({ name = '' }, _, answer) => {
        if (!github.repositories) return repositoryOf(answer, name, 1);
        const found = [...github.repositories].find(([one]) => one.toLowerCase() === name.toLowerCase());
        return found ? repositoryOf(answer, ...found) : missing;
      },
    ],
    [
      /^GET \/user\/repos(?:\?|$)/,
      (_, __, answer) => {
        const [like] = answer as unknown as readonly [Raw];
        return [...(github.repositories ?? [])].map((one) => repositoryOf(like, ...one));
      },
    ],
    [
      /^POST \/repos\/[^/]+\/[^/]+\/git\/refs$/,
      (_, { body }, answer) => {
        const { ref, sha } = JSON.parse(body) as { ref: string; sha: string };
        const name = ref.replace('refs/heads/', '');
        if (branches.has(name)) return undefined;
        branches.set(name, sha);
        github.effects.push(`branch ${name}`);
        return { ...answer, ref, object: { sha, type: 'commit' } };
      },
    ],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/git\/ref\/heads%2F(?<name>[^?]+)$/,
      ({ name = '' }, _, answer) => {
        const sha = branches.get(decodeURIComponent(name));
        return sha === undefined ? missing : { ...answer, object: { sha, type: 'commit' } };
      },
    ],
    [
      /^PUT \/repos\/[^/]+\/[^/]+\/contents\/(?<path>[^?]+)$/,
      ({ path }, { body }, answer) => {
        const { branch, content, sha } = JSON.parse(body) as { branch?: string; content: string; sha?: string };
        const file = `${branch}:${path}`;
        if (files.get(file) !== sha) return undefined;
        files.set(file, blobSha(Buffer.from(content, 'base64')));
        github.effects.push(`file ${file}`);
        return answer;
      },
    ],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/contents\/(?<path>[^?]+)\?ref=(?<branch>[^&]+)$/,
      ({ path, branch }, _, answer) => {
        const sha = files.get(`${branch}:${path}`);
        return sha === undefined ? missing : { ...answer, type: 'file', sha };
      },
    ],
    [
      /^POST \/repos\/[^/]+\/[^/]+\/pulls$/,
      (_, { body }, answer) => {
        const number = firstPull + github.pulls.length;
        const pull = { ...answer, ...(JSON.parse(body) as Raw), number, head: answer.head, base: answer.base };
        github.pulls.push({ ...pull, created_at: now() });
        github.effects.push(`pull ${number}`);
        return pull;
      },
    ],
    [/^GET \/repos\/[^/]+\/[^/]+\/pulls(?:\?|$)/, () => github.pulls],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/pulls\/(?<number>\d+)$/,
      ({ number }, _, answer) => {
        const sha = github.heads.get(Number(number));
        if (sha === undefined) return missing;
        const state = { state: 'open', merged: false, draft: false, mergeable: true, updated_at: now() };
        return { ...answer, ...state, number: Number(number), head: { ...(answer.head as Raw), sha } };
      },
    ],
    [/^GET \/repos\/[^/]+\/[^/]+\/pulls\/\d+\/reviews(?:\?|$)/, () => []],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/commits\/(?<sha>\w+)\/check-runs(?:\?|$)/,
      ({ sha = '' }, _, answer) => {
        const [like] = answer.check_runs as Raw[];
        const runs = (github.runs.get(sha) ?? []).map((run) => ({ ...like, head_sha: sha, ...run }));
        return { total_count: runs.length, check_runs: runs };
      },
    ],
    [
      /^POST \/repos\/[^/]+\/[^/]+\/issues\/(?<issue>\d+)\/comments$/,
      ({ issue }, { body: sent }, answer) => {
        const { body } = JSON.parse(sent) as { body: string };
        const comment = { ...answer, id: comments.length + 1, issue: Number(issue), body, created_at: now() };
        comments.push(comment);
        github.effects.push(`comment ${issue}`);
        return comment;
      },
    ],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/issues\/(?<issue>\d+)\/comments(?:\?|$)/,
      ({ issue }) => comments.filter((one) => one.issue === Number(issue)),
    ],
    [
      /^POST \/repos\/[^/]+\/[^/]+\/issues\/(?<issue>\d+)\/labels$/,
      ({ issue }, { body }) => {
        const names = (JSON.parse(body) as { labels: string[] }).labels;
        const known = github.labels.get(Number(issue)) ?? new Set();
        for (const name of names) if (!known.has(name)) github.effects.push(`label ${issue} ${name}`);
        github.labels.set(Number(issue), new Set([...known, ...names]));
        return labelsOf(Number(issue));
      },
    ],
    [
      /^DELETE \/repos\/[^/]+\/[^/]+\/issues\/(?<issue>\d+)\/labels\/(?<label>[^?]+)$/,
      ({ issue, label = '' }) => {
        if (!github.labels.get(Number(issue))?.delete(decodeURIComponent(label))) return missing;
        github.effects.push(`unlabel ${issue} ${decodeURIComponent(label)}`);
        return labelsOf(Number(issue));
      },
    ],
    [/^GET \/repos\/[^/]+\/[^/]+\/issues\/(?<issue>\d+)\/labels(?:\?|$)/, ({ issue }) => labelsOf(Number(issue))],
    [
      /^GET \/repos\/(?<name>[^/]+\/[^/]+)\/issues\?(?=.*since=)/,
      ({ name }, { url }, answer) => {
        const [{ pull_request: _, ...like }] = answer as unknown as readonly [Raw];
        return listed(github.issues, url, { ...like, repository_url: `https://api.github.com/repos/${name}` });
      },
    ],
    [
      /^GET \/repos\/(?<name>[^/]+\/[^/]+)\/issues\/comments\?/,
      ({ name }, { url }, answer) => {
        const [like] = answer as unknown as readonly [Raw];
        const all = comments.map(({ issue, ...comment }) => ({
          updated_at: comment.created_at,
          ...comment,
          issue_url: `https://api.github.com/repos/${name}/issues/${issue}`,
        }));
        return listed(all, url, like);
      },
    ],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/issues\/events\?/,
      (_, { url }, answer) => listed(github.events.toReversed(), url, (answer as unknown as readonly [Raw])[0]),
    ],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/issues\/(?<issue>\d+)\/events\?/,
      ({ issue }, { url }, answer) => {
        const own = github.events.filter((one) => (one.issue as Raw).number === Number(issue));
        const [like] = answer as unknown as readonly [Raw];
        return listed(
          own.map(({ issue: _, ...event }) => event),
          url,
          like,
        );
      },
    ],
    [
      /^GET \/repos\/[^/]+\/[^/]+\/issues\/(?<issue>\d+)$/,
      ({ issue }, _, answer) => ({ ...answer, number: Number(issue), labels: labelsOf(Number(issue)) }),
    ],
  ];

  server.answer = async (seen, response) => {
    github.sees(seen);
    const checked = await askPrism(seen, prism.url);
    const [request, act] = acts.find(([one]) => one.test(`${seen.method} ${seen.url}`)) ?? [];
    if (!request || !act || checked.status >= 300) return void send(response, checked);
    const match = request.exec(`${seen.method} ${seen.url}`)?.groups ?? {};
    const body = act(match, seen, checked.body as Raw);
    await github.holds(seen);
    if (github.loses(seen)) return void response.destroy();
    if (body === missing) return void send(response, { status: 404, body: { message: 'Not Found' } });
    if (body === undefined) return void send(response, { status: 422, body: { message: 'Validation Failed' } });
    if (!Array.isArray(body)) return void send(response, { status: checked.status, body });
    const { shown, link } = pageOf(github.forgets ? [] : body, seen.url);
    sendJson(response, checked.status, shown, link);
  };
  return github;
}

/** The part of a list that a request asks for, and where the next one is. */
function pageOf(all: readonly unknown[], url: string) {
  const { searchParams } = new URL(url, 'http://localhost');
  const [size, page] = [Number(searchParams.get('per_page') ?? 30), Number(searchParams.get('page') ?? 1)];
  const shown = all.slice((page - 1) * size, page * size);
  searchParams.set('page', String(page + 1));
  const next = { link: `<https://api.github.com/next?${searchParams}>; rel="next"` };
  const link: Readonly<Record<string, string>> = page * size < all.length ? next : {};
  return { shown, link };
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

async function askPrism({ method, url, headers, body }: Seen, base: string): Promise<Reply> {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...rest } = headers;
  const sent = body === '' ? {} : { body };
  // Prism closes a connection after five quiet seconds, which may be the moment at which the next request is sent on it.
  const fresh = { ...(rest as Record<string, string>), connection: 'close' };
  const answer = await fetch(base + url, { method, headers: fresh, ...sent });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

const send = (response: ServerResponse, { status, body }: Reply): void => sendJson(response, status, body);
