/** Which lines a pattern lets through: read without a machine, then against the shells that are here. */
import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { startCpuClock } from '../../testing/cpu-time.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { checkCommand } from './allowed.js';

const { signal } = new AbortController();
const workers = createWorkers();
afterAll(workers.close);

async function verdict(command: string, allowed_commands: string[] | undefined): Promise<string> {
  const config = { allowed_hosts: [], blocked_patterns: [], timeout_seconds: 1, output_bytes: 1 };
  try {
    await checkCommand(command, { ...config, ...(allowed_commands && { allowed_commands }) }, { workers, signal });
    return 'allowed';
  } catch (error) {
    return error instanceof HelveError ? error.code : String(error);
  }
}

describe('allowed_commands', () => {
  test.each([
    ['uptime', 'uptime'],
    ['systemctl status *', 'systemctl status nginx'],
    ['systemctl status *', 'systemctl  status   nginx '],
    ['systemctl status web-*.service', 'systemctl status web-1.service'],
    ['tail -n * /var/log/*.log', 'tail -n 20 /var/log/app.log'],
    ['cat /var/log/**', 'cat /var/log/nginx/error.log'],
    ['git **', 'git log --oneline ../x'],
    ['git **', 'git'],
    ['ls | wc -l', 'ls | wc -l'],
    ['a*b*c', 'a*b*c'],
    ['echo a*b*c', 'echo aXbYbZc'],
  ])('R-ssh: %s lets %s through', async (pattern, command) => {
    const first = pattern.split(' ')[0] ?? '';
    expect(await verdict(command, [pattern])).toBe(first.includes('*') ? 'forbidden' : 'allowed');
  });

  test.each([
    ['uptime', 'uptime -V'],
    ['uptime', 'uptime '],
    ['uptime', 'xuptime'],
    ['ls | wc -l', 'ls | wc -l; id'],
    ['systemctl status *', 'systemctl status'],
    ['systemctl status *', 'systemctl status a b'],
    ['systemctl status *', 'systemctl status --host=evil'],
    ['systemctl status *', 'systemctl status -Hevil'],
    ['cat *', 'cat /etc/shadow'],
    ['cat *', 'cat ..'],
    ['cat /var/log/*', 'cat /var/log/../../etc/shadow'],
    ['cat /var/log/**', 'cat /var/log/../../etc/shadow'],
    ['cat /var/log/**.log', 'cat /var/log/../../x.log'],
    ['cat /var/*/x', 'cat /var/../x'],
    ['cat a*', 'cat a/b'],
    ['git **', 'gitx'],
    ['git **', 'PATH=/tmp git'],
    ['* status', 'rm status'],
    ['*', 'id'],
    ['**', 'id'],
    ['ls *', 'ls =id'],
    ['echo a*b*c', 'echo aXbYd'],
  ])('R-ssh: %s does not let %s through', async (pattern, command) => {
    expect(await verdict(command, [pattern])).toBe('forbidden');
  });

  const injected = [
    ';id',
    '|id',
    '&id',
    '&&id',
    '||id',
    '\nid',
    '\rid',
    '$(id)',
    '`id`',
    '$' + '{IFS}id',
    '$IFS',
    '>f',
    '<f',
    '<(id)',
    '(id)',
    '{id,}',
    '*',
    '?',
    '[a]',
    '~',
    '~root',
    '#',
    '!',
    '!!',
    '"',
    "'",
    '\\',
    '\t',
    '^id^',
    '%PATH%',
    '\u00a0id',
    '\u2028id',
    'é',
    '\u3000',
    '\x1b',
    '\x7f',
    '\v',
    '\f',
  ];
  test.each([
    'echo *',
    'echo **',
    'echo a**',
    'echo a*b',
  ])('R-ssh: what means something to a shell does not pass %s', async (pattern) => {
    for (const piece of injected) {
      for (const command of [`echo ${piece}`, `echo a${piece}b`, `echo a ${piece}`, `echo${piece}`, `${piece}echo a`]) {
        expect(await verdict(command, [pattern]), JSON.stringify(command)).toBe('forbidden');
      }
    }
  });

  test('R-ssh: every line that passes a star has the same words for the shells of this machine', async () => {
    const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
      (each) => each !== '\0',
    );
    const passing: string[] = [];
    for (const character of characters) {
      const command = `printf %s, a${character}b -${character} ${character}c`;
      if ((await verdict(`printf a${character}b`, ['printf **'])) === 'allowed') passing.push(command);
    }
    expect(passing.length).toBeGreaterThan(60);
    // One shell for all: a command that it reads otherwise also changes what it finds behind it.
    for (const shell of ['sh', 'bash']) {
      const input = passing.map((command) => `${command}\nprintf →`).join('\n');
      const seen = execFileSync(shell, { input, encoding: 'utf8', cwd: '/' }).split('→');
      for (const [at, command] of passing.entries()) {
        const words = command.split(' ').slice(2).filter(Boolean);
        expect(seen[at], `${shell}: ${command}`).toBe(words.map((word) => `${word},`).join(''));
      }
      expect(seen).toHaveLength(passing.length + 1);
    }
  });

  test('R-ssh: an empty list allows nothing, and no list everything that the user may do', async () => {
    expect(await verdict('id', [])).toBe('forbidden');
    expect(await verdict('id; ls | wc -l', undefined)).toBe('allowed');
  });

  test('R-ssh: a long line against many stars is quickly decided', async () => {
    const worked = startCpuClock();
    for (const length of [4_000, 99_000]) {
      expect(await verdict(`echo ${'a'.repeat(length)}b`, [`echo ${'*a'.repeat(40)}*c`])).toBe('forbidden');
    }
    expect(worked()).toBeLessThan(2_000);
  });
});
