/** The model of the stories, with OpenAI's protocol: each attempt runs one program and says what it did. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { repository } from '../../../src/flows/tasks/webhooks/testing/github.js';

const [owner, repo] = repository.split('/');
const place = JSON.stringify({ owner, repo });

/** The program of each attempt. */
const programs = [
  (issue: number) => `const place = ${place};
  await hub.createBranch({ ...place, branch: 'fix-${issue}', from: 'master' });
  await hub.createFile({ ...place, path: 'a.txt', content: 'fixed', message: 'Fix', branch: 'fix-${issue}' });
  const pull = await hub.createPullRequest({ ...place, title: 'Fix ${issue}', head: 'fix-${issue}', base: 'master', body: 'Fixes #${issue}' });
  return pull.number`,
  (issue: number) => `const place = ${place};
  await hub.createFile({ ...place, path: 'b.txt', content: 'linted', message: 'Lint', branch: 'fix-${issue}' });`,
];

interface Question {
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
}

export interface StoryModel {
  readonly url: string;
  /** What programs answered that did not succeed. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

export interface StoryModelOptions {
  readonly onAsked: () => void;
  /** Awaited before the second attempt says that it is done: GitHub tells of its push. */
  readonly onPushed: (issue: number) => Promise<void>;
}

/** Starts it on 127.0.0.1. */
export async function startStoryModel({ onAsked, onPushed }: StoryModelOptions): Promise<StoryModel> {
  const failures: string[] = [];

  async function answer({ messages }: Question) {
    onAsked();
    const text = JSON.stringify(messages);
    const issue = Number(/Story (\d+) begins/.exec(text)?.[1]);
    const attempt = text.includes('This is attempt 2') ? 2 : 1;
    for (const { role, content } of messages)
      if (role === 'tool' && !/"status":"(succeeded|refused)"/.test(content ?? ''))
        failures.push(`story ${issue}, attempt ${attempt}: ${content}`);
    // Nothing of a program that is refused has run: on a busy machine the check of its types may take too long.
    const isRefused = messages.at(-1)?.content?.includes('"status":"refused"') ?? false;
    if (isRefused || !messages.some(({ role }) => role === 'assistant')) {
      const code = programs[attempt - 1]?.(issue);
      const called = { name: 'run_code', arguments: JSON.stringify({ code }) };
      const message = { content: null, tool_calls: [{ id: 'c', type: 'function', function: called }] };
      return { choices: [{ message, finish_reason: 'tool_calls' }] };
    }
    if (attempt === 2) await onPushed(issue);
    const message = { content: `The typo of ${issue} is gone (attempt ${attempt}).` };
    return { choices: [{ message, finish_reason: 'stop' }] };
  }

  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      response.end(JSON.stringify(await answer(JSON.parse(text) as Question)));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
