/** Reads the fields of a sign-in scheme from options, files or the terminal. Secrets are never taken from the command line, which others can read. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { HelveError } from '../../domain/errors.js';

interface Scheme {
  readonly kind: string;
  readonly fields: readonly {
    readonly name: string;
    readonly title: string;
    readonly secret: boolean;
    readonly optional?: boolean | undefined;
  }[];
}

interface Given {
  readonly set?: readonly string[];
  readonly secretFile?: readonly string[];
}

/** Undefined for a sign-in in the browser. Throws `invalid_input` for a field that is missing, with the option that gives it. */
export async function readFields(scheme: Scheme, given: Given): Promise<Record<string, string> | undefined> {
  const fields: Record<string, string> = {};
  for (const pair of given.set ?? []) {
    const [name, value] = split(pair, '--set');
    if (scheme.fields.find((field) => field.name === name)?.secret)
      throw new HelveError('invalid_input', `${name} is a secret and must not be on the command line`, {
        hint: `Use --secret-file ${name}=<path>, or --secret-file ${name}=- to read standard input.`,
      });
    fields[name] = value;
  }
  for (const pair of given.secretFile ?? []) {
    const [name, path] = split(pair, '--secret-file');
    fields[name] = readSecret(name, path);
  }
  if (scheme.kind === 'oauth2') return Object.keys(fields).length === 0 ? undefined : fields;
  for (const field of scheme.fields) {
    if (fields[field.name] !== undefined || !process.stdin.isTTY) continue;
    const answer = await ask(`${field.title}${field.optional ? ' (optional)' : ''}: `, field.secret);
    if (answer !== '') fields[field.name] = answer;
  }
  const missing = scheme.fields.filter(({ name, optional }) => !optional && fields[name] === undefined);
  if (missing.length > 0) throw needs(missing);
  return fields;
}

function needs(missing: Scheme['fields']): HelveError {
  const options = missing.map(({ name, secret }) =>
    secret ? `--secret-file ${name}=<path>` : `--set ${name}=<value>`,
  );
  return new HelveError('invalid_input', `The sign-in needs ${missing.map(({ name }) => name).join(', ')}`, {
    hint: `Add ${options.join(' ')}. The path - means standard input. On a terminal, helve connect asks for each field.`,
  });
}

function readSecret(name: string, path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new HelveError('invalid_input', `--secret-file ${name}: ${path} cannot be read`, {
      hint: 'Name a file with nothing but the secret, or - for standard input.',
      cause,
    });
  }
}

function split(pair: string, option: string): [string, string] {
  const cut = pair.indexOf('=');
  if (cut > 0) return [pair.slice(0, cut), pair.slice(cut + 1)];
  throw new HelveError('invalid_input', `${option} ${pair}: write it as field=value`);
}

async function ask(question: string, hidden: boolean): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: hidden });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    return String(value ?? '').trim();
  } finally {
    lines.close();
    if (hidden) process.stderr.write('\n');
  }
}
