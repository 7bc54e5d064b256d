/**
 * Secrets under the names that services use, and in the forms in which people and programs write them. The names are
 * data, taken from the documentation of services and not from the code. Each value is planted and would show.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonSchema, JsonValue } from '../domain/json.js';
import { startCpuClock } from '../testing/cpu-time.js';
import { redact, redactText } from './redact.js';

const names: { secret: string[]; readable: string[] } = JSON.parse(
  readFileSync(new URL('../../tests/data/secret-names.json', import.meta.url), 'utf8'),
);
const planted = 'pl4nted-9c1fd0';
const kept = (value: JsonValue): string => JSON.stringify(redact(value));

describe('names', () => {
  test.each(names.secret)('%s is hidden as an argument, in a text, as an option and as a pair', (name) => {
    const shown = {
      argument: kept({ [name]: planted }),
      nested: kept({ config: [{ [name]: planted }] }),
      list: kept({ [name]: [planted] }),
      settings: kept(`first=1\n${name}=${planted}\nlast=2`),
      json: kept(`{"${name}":"${planted}"}`),
      query: redactText(`https://api.example.com/x?${name}=${planted}&page=2`),
      pair: kept({ name, value: planted }),
      'pair of texts': kept([name, planted]),
      option: kept(`run --${name} ${planted} --verbose`),
      'option with a sign': kept(`run --${name}=${planted} --verbose`),
      'list of words': kept(['run', `--${name}`, planted, '--verbose']),
    };
    expect(Object.entries(shown).filter(([, text]) => text.includes(planted))).toEqual([]);
  });

  test.each(names.readable)('%s stays readable', (name) => {
    expect(kept({ [name]: planted })).toContain(planted);
    expect(kept({ name, value: planted })).toContain(planted);
    expect(kept(`${name}=${planted}`)).toContain(planted);
    expect(kept(`run --${name} ${planted}`)).toContain(planted);
  });

  test('a word for the position of a token makes only a token readable', () => {
    for (const name of ['start_password', 'request_signature', 'sync_secret', 'resume_session'])
      expect(kept({ [name]: planted }), name).not.toContain(planted);
    expect(kept({ start_token: planted })).toContain(planted);
  });

  test('a long name is judged by its end, and one that ends in a stroke by the word before', () => {
    expect(kept({ [`${'a'.repeat(300)}_password`]: planted })).not.toContain(planted);
    expect(kept({ token_: planted })).not.toContain(planted);
  });

  test('null is recorded as null', () => {
    const properties = { one: { writeOnly: true } };
    expect(redact({ one: null, password: null, pair: ['password', null] }, { properties })).toEqual({
      one: null,
      password: null,
      pair: ['password', null],
    });
  });

  test('a number is a measure, unless it is the secret itself', () => {
    expect(redact({ tokens: 4_096, session: 3, password: true, pin: 1234, cvv: 123 })).toEqual({
      tokens: 4_096,
      session: 3,
      password: true,
      pin: '[redacted]',
      cvv: '[redacted]',
    });
  });
});

describe('forms', () => {
  test.each([
    `curl -u ada:${planted} https://api.example.com`,
    `curl -s --user "ada:${planted}" https://api.example.com`,
    `curl -H "Authorization: Bearer ${planted}" https://api.example.com`,
    `curl -H 'X-Api-Key: ${planted}' https://api.example.com`,
    `mysql -h db -p${planted} shop`,
    `sshpass -p ${planted} ssh host`,
    `https://${planted}@git.example.com/x.git`,
    `https://ada:${planted}@git.example.com/x.git`,
    `postgres://app:${planted}@db/shop`,
    `Authorization: Token ${planted}`,
    `Cookie: theme=dark; sid=${planted}`,
    `export SECRET_KEY=${planted}`,
    `password: ${planted}`,
    `psql "host=db password=${planted}"`,
  ])('%s', (text) => {
    expect(redactText(text)).not.toContain(planted);
    expect(kept({ command: text })).not.toContain(planted);
    expect(kept({ headers: [text] })).not.toContain(planted);
  });

  test.each<[string, JsonValue]>([
    ['header pairs', { headers: [{ name: 'Authorization', value: `Token ${planted}` }] }],
    ['header pairs by key', { headers: [{ key: 'X-Api-Key', value: planted }] }],
    ['environment', { env: [{ name: 'DB_PASSWORD', value: planted }] }],
    ['lists of two', { headers: [['Authorization', planted]] }],
    ['lines', { headers: [`Authorization: Bearer ${planted}`] }],
    ['words of a command', { argv: ['curl', '-u', `ada:${planted}`, 'https://x'] }],
  ])('%s', (_, value) => expect(kept(value)).not.toContain(planted));

  test('in a name-value pair the value is hidden and the rest stays; an object that only resembles a pair stays', () => {
    const header = { name: 'Authorization', value: planted, enabled: 'by Ada' };
    expect(redact(header)).toEqual({ name: 'Authorization', value: '[redacted]', enabled: 'by Ada' });
    for (const words of [
      ['hello', 'world'],
      ['the', 'password', 'is', 'long'],
      ['run', '--verbose', 'now'],
      ['sort', '-u', 'names'],
      ['curl', '-s', 'https://example.com'],
    ])
      expect(redact(words)).toEqual(words);
  });

  test('a value that the schema marks as secret is hidden, and its siblings stay', () => {
    const properties = { one: { writeOnly: true }, two: { type: 'string', format: 'password' }, three: {} };
    const value = { one: planted, two: planted, three: 'kept' };
    const hidden = { one: '[redacted]', two: '[redacted]', three: 'kept' };
    expect(redact(value, { properties })).toEqual(hidden);
    expect(redact([value], { items: { properties } })).toEqual([hidden]);
    for (const schema of [{ type: 'object' }, { properties: true }, { items: true }])
      expect(redact({ list: ['kept'], password: planted }, schema)).toEqual({ list: ['kept'], password: '[redacted]' });
  });

  test.each([
    '<password>PLANTED</password>',
    '<a:apiKey xsi:type="string">PLANTED</a:apiKey>',
    '<config><user>ada</user><client_secret>PLANTED</client_secret></config>',
    'redirect=https%3A%2F%2Fexample.com%2F%3Ftoken%3DPLANTED%26next%3D1',
    'state=%7B%22password%22%3A%22PLANTED%22%7D',
    'password => PLANTED',
    'PASSWORD="hun{PLANTED"',
    "password: 'two words, PLANTED'",
    '{\\"password\\":\\"a;PLANTED\\"}',
    'https://hooks.slack.com/services/T0123/B0123/PLANTED',
  ])('leak: the secret in %s is hidden', (form) => {
    expect(redactText(form.replace('PLANTED', planted))).not.toContain(planted);
  });

  test.each([
    '<label for="password">Password of the account</label>',
    '<p>The token is valid</p>',
    '<access_token_count>4096</access_token_count>',
    'next=https%3A%2F%2Fexample.com%2Fa%3Fpage_token%3Dabcdef%26user%3Dada',
    `title: "The password: a history"`,
    'author => Ada Lovelace',
    'see hooks.slack.com for help',
  ])('%s is not taken for a secret', (text) => expect(redactText(text)).toBe(text));

  const secret = { type: 'string', format: 'password' };
  test.each<[string, JsonSchema]>([
    ['by reference', { properties: { a: { $ref: '#/$defs/Key' } }, $defs: { Key: secret } }],
    ['inside a reference', { $ref: '#/$defs/All', $defs: { All: { properties: { a: secret } } } }],
    ['where it may be null', { properties: { a: { anyOf: [secret, { type: 'null' }] } } }],
    ['in a part of allOf', { allOf: [{ properties: { a: secret } }] }],
    ['for every other member', { additionalProperties: secret }],
    ['by a pattern of names', { patternProperties: { '^a$': secret } }],
    ['if another member is there', { dependentSchemas: { b: { properties: { a: secret } } } }],
  ])('a value that the schema marks as secret %s is hidden', (_where, schema) => {
    expect(redact({ a: planted }, schema)).toEqual({ a: '[redacted]' });
    expect(redact({ a: planted }, {})).toEqual({ a: planted });
  });

  test('items that the schema marks as secret are hidden', () => {
    expect(redact({ a: [planted] }, { properties: { a: { items: secret } } })).toEqual({ a: ['[redacted]'] });
    const tuples: JsonSchema[] = [{ prefixItems: [{}, secret], items: {} }, { items: [{}, secret] }];
    for (const tuple of tuples) expect(redact(['kept', planted, 'too'], tuple)).toEqual(['kept', '[redacted]', 'too']);
  });

  test.each([
    'git@github.com:ada/x.git',
    'https://git@example.com/x.git',
    'run --max-tokens 4096 --page-token abcdef --author Ada',
    'Subject: a token of thanks',
    'the time is 10:30, the ratio is 3:1',
    'mkdir -p build && sort -u names',
  ])('%s stays as it is', (text) => expect(redactText(text)).toBe(text));

  test('names are secret or cut each time, and one that is special to JavaScript is kept', () => {
    const token = 'ghp_0123456789abcdef';
    const long = 'n'.repeat(3_000);
    const value = JSON.parse(`{"${token}":1,"__proto__":{"password":"hunter2"},"${long}":2}`) as JsonValue;
    for (const _ of ['first', 'remembered']) {
      const kept = redact([value, value]) as Record<string, JsonValue>[];
      const cut = `${'n'.repeat(2_000)}… [1000 more characters]`;
      expect(JSON.stringify(kept[1])).toBe(`{"[redacted]":1,"__proto__":{"password":"[redacted]"},"${cut}":2}`);
      expect(kept[0]).toEqual(kept[1]);
    }
  });

  test('the first two thousand of many values are recorded', () => {
    const text = kept(Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 'value')));
    expect(text.match(/"value"/g)?.length).toBeGreaterThan(1_900);
    expect(text.match(/"value"/g)?.length).toBeLessThanOrEqual(2_000);
    expect(text).toContain('[more]');
  });

  test('the search for secrets is fast on hostile text', () => {
    const hostile = [
      'a'.repeat(20_000),
      'a='.repeat(10_000),
      '-a '.repeat(7_000),
      `curl ${'-x '.repeat(7_000)}`,
      '://'.repeat(7_000),
      'token:'.repeat(3_000),
      'password="'.repeat(2_000),
      `token=${'\\'.repeat(20_000)}`,
      `${'<token>'.repeat(2_500)}</`,
      '%22token%22%3A'.repeat(1_300),
    ];
    for (const text of hostile) {
      const worked = startCpuClock();
      redactText(text, 20_000);
      expect(worked()).toBeLessThan(1_000);
    }
  });
});
