/** A sealed secret opens for its place, under its key, unchanged; anything else is refused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { anyCharacter } from '../testing/any-character.js';
import { createVault, keyringFromText, keyringInFile, keyringInMemory, keyringMissing } from './index.js';
import { getKeyId, openSecret, sealSecret } from './seal.js';

const folder = await mkdtemp(join(tmpdir(), 'helve-vault-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const key = (byte: number) => Buffer.alloc(32, byte);
const master = { id: 'k1', key: key(1) };
const place = { workspaceId: 'w1', subject: 'connection:c1' };
const vault = createVault(keyringFromText(`k1:${key(1).toString('base64')}`));
const inaccessible = expect.objectContaining({ name: 'HelveError', code: 'connection_inaccessible' });
const texts = fc.string({ unit: anyCharacter, maxLength: 300 });

async function refuses(sealed: string, at = place): Promise<void> {
  await expect(vault.open(at, { sealed })).rejects.toEqual(inaccessible);
}

describe('a sealed secret', () => {
  test('R-vault: opens unchanged, and no two are alike', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const [one, two] = await Promise.all([vault.seal(place, text), vault.seal(place, text)]);
        expect(await vault.open(place, one)).toBe(text);
        expect(one.sealed).not.toBe(two.sealed);
        expect(one.keyId).toBe('k1');
      }),
      { numRuns: 100 },
    );
  });

  test('R-vault: does not contain its text in any plain form', async () => {
    const text = 'a-very-secret-text-0123456789';
    const { sealed } = await vault.seal(place, text);
    for (const part of [sealed, ...sealed.split('.').map((one) => Buffer.from(one, 'base64url').toString('latin1'))])
      expect(part).not.toContain(text.slice(0, 8));
  });

  test('R-vault: every flipped bit of every byte is refused', async () => {
    const { sealed } = await vault.seal(place, 'secret');
    const parts = sealed.split('.');
    let flips = 0;
    for (const index of [2, 3]) {
      const bytes = Buffer.from(parts[index] ?? '', 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const altered = Buffer.from(bytes);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await refuses(parts.with(index, altered.toString('base64url')).join('.'));
        flips += 1;
      }
    }
    // iv, text and tag, of the sealed key and of the secret.
    expect(flips).toBe((12 + 32 + 16 + 12 + 6 + 16) * 8);
  });

  test('R-vault: every altered letter is refused, for any new letter', async () => {
    const { sealed } = await vault.seal(place, 'secret');
    const letters = fc.constantFrom(...'ABCabc012-_.=+/ \n\u0000é');
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), letters, async (at, letter) => {
        fc.pre(sealed[at] !== letter);
        await refuses(sealed.slice(0, at) + letter + sealed.slice(at + 1));
      }),
      { numRuns: 500 },
    );
  });

  test('R-vault: every truncation, at either end, of the whole or of a part, is refused', async () => {
    const { sealed } = await vault.seal(place, 'secret');
    for (let length = 0; length < sealed.length; length++) {
      await refuses(sealed.slice(0, length));
      await refuses(sealed.slice(sealed.length - length));
    }
    const parts = sealed.split('.');
    for (const index of [2, 3]) {
      const bytes = Buffer.from(parts[index] ?? '', 'base64url');
      for (let length = 0; length < bytes.length; length++)
        await refuses(parts.with(index, bytes.subarray(0, length).toString('base64url')).join('.'));
      // Shortened tags: a lenient decoder would accept twelve bytes for sixteen.
      await refuses(parts.with(index, Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')).join('.'));
    }
  });

  test('R-vault: anything that was never sealed is refused', async () => {
    await fc.assert(
      fc.asyncProperty(texts, (text) => refuses(text)),
      { numRuns: 300 },
    );
    for (const text of ['v1', 'v1.k1', 'v1.k1..', 'v1.k1.AA.AA', 'v2.k1.AA.AA', `v1.k1.${'A'.repeat(1_000_000)}.AA`])
      await refuses(text);
  });

  test('R-vault: non-canonical base64 of the same bytes is refused', async () => {
    const { sealed } = await vault.seal(place, 'secre');
    const parts = sealed.split('.');
    let tried = 0;
    for (const index of [2, 3]) {
      const part = parts[index] ?? '';
      const bytes = Buffer.from(part, 'base64url');
      const others = [bytes.toString('base64'), `${part}=`, `${part}\n`, ` ${part}`, `${part}A`];
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      for (const letter of alphabet) others.push(part.slice(0, -1) + letter);
      for (const other of others) {
        if (other === part) continue;
        await refuses(parts.with(index, other).join('.'));
        // These decode to the same bytes: only the form differs.
        if (Buffer.from(other, 'base64url').equals(bytes)) tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(6);
  });

  test('R-vault: opens in its workspace and for its subject only', async () => {
    const { sealed } = await vault.seal(place, 'secret');
    const names = fc.string({ maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(names, names, async (workspaceId, subject) => {
        fc.pre(workspaceId !== place.workspaceId || subject !== place.subject);
        await refuses(sealed, { workspaceId, subject });
      }),
    );
    for (const at of [
      { workspaceId: 'w2', subject: place.subject },
      { workspaceId: 'w1', subject: 'connection:c2' },
      { workspaceId: 'w1', subject: 'auth_config:c1' },
      { workspaceId: 'w1', subject: 'flow:c1' },
      // The same letters, split differently.
      { workspaceId: 'w1","connection:c1', subject: '' },
      { workspaceId: 'w', subject: '1connection:c1' },
    ])
      await refuses(sealed, at);
    expect(await vault.open(place, { sealed })).toBe('secret');
  });

  test('R-vault: the sealed key of one does not open another secret, and is not itself a secret', async () => {
    const [one, two] = (await Promise.all(['a', 'b'].map((text) => vault.seal(place, text)))).map(({ sealed }) =>
      sealed.split('.'),
    );
    await refuses([...(one?.slice(0, 3) ?? []), two?.[3]].join('.'));
    await refuses([...(one?.slice(0, 2) ?? []), one?.[3], one?.[2]].join('.'));
    await refuses([...(one?.slice(0, 2) ?? []), one?.[2], one?.[2]].join('.'));
  });

  test('R-vault: another key under the same id, and the same key under another id, are refused', () => {
    const sealed = sealSecret(master, place, 'secret');
    expect(openSecret(master, place, sealed)).toBe('secret');
    expect(openSecret({ id: 'k1', key: key(2) }, place, sealed)).toBeUndefined();
    expect(openSecret({ id: 'k2', key: key(1) }, place, sealed)).toBeUndefined();
    expect(openSecret({ id: 'k2', key: key(1) }, place, sealed.replace('.k1.', '.k2.'))).toBeUndefined();
    expect(openSecret({ id: 'k1', key: key(1).subarray(0, 16) }, place, sealed)).toBeUndefined();
    expect([getKeyId(sealed), getKeyId('v1.k1'), getKeyId('')]).toEqual(['k1', undefined, undefined]);
  });

  test('R-vault: an error reveals nothing about the secret', async () => {
    const { sealed } = await vault.seal(place, 'secret');
    const error = await vault.open({ ...place, subject: 'x' }, { sealed }).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).not.toContain(sealed.slice(10, 30));
  });
});

describe('keys', () => {
  test('R-vault: a retired key no longer opens anything, and one that is in use stays', async () => {
    const ring = keyringInFile(join(folder, 'retire.json'));
    const of = createVault(ring);
    const old = await of.seal(place, 'old');
    await ring.add();
    const young = await of.seal(place, 'young');
    expect([await of.open(place, old), await of.open(place, young)]).toEqual(['old', 'young']);
    expect(await ring.retire(new Set([old.keyId]))).toEqual([]);
    expect(await of.open(place, old)).toBe('old');
    expect(await ring.retire(new Set())).toEqual([old.keyId]);
    await expect(of.open(place, old)).rejects.toEqual(inaccessible);
    expect(await of.open(place, young)).toBe('young');
  });

  test('R-vault: keys in memory and no keys', async () => {
    const of = createVault(keyringInMemory());
    const { sealed } = await of.seal(place, 'x');
    expect(await of.open(place, { sealed })).toBe('x');
    await expect(createVault(keyringInMemory()).open(place, { sealed })).rejects.toEqual(inaccessible);
    await expect(createVault(keyringMissing()).seal(place, 'x')).rejects.toMatchObject({
      code: 'invalid_config',
      hint: expect.stringContaining('HELVE_VAULT_KEYS'),
    });
  });

  test('R-vault: the first of HELVE_VAULT_KEYS seals, the others open, and their form is checked', async () => {
    const [one, two] = [key(1).toString('base64'), key(2).toString('base64')];
    const before = await createVault(keyringFromText(`a:${one}`)).seal(place, 'x');
    const both = createVault(keyringFromText(` b:${two} , a:${one.replace('=', '')}`));
    expect(await both.open(place, before)).toBe('x');
    expect((await both.seal(place, 'y')).keyId).toBe('b');
    await expect(createVault(keyringFromText(`b:${two}`)).open(place, before)).rejects.toEqual(inaccessible);
  });

  const good = key(1).toString('base64');
  test.each([
    ['nothing', ''],
    ['only white space', '  '],
    ['no id', good],
    ['an empty id', `:${good}`],
    ['an id with other letters', `a b:${good}`],
    ['an id that is too long', `${'a'.repeat(41)}:${good}`],
    ['no key', 'a:'],
    ['a short key', `a:${Buffer.alloc(31).toString('base64')}`],
    ['a long key', `a:${Buffer.alloc(33).toString('base64')}`],
    ['a key in hexadecimal', `a:${Buffer.alloc(32, 7).toString('hex')}`],
    ['a key of other letters', `a:${'!'.repeat(44)}`],
    ['letters between', `a:${good.slice(0, 10)}*${good.slice(10)}`],
    ['bits that stand for nothing', `a:${good.slice(0, -2)}R=`],
    ['a third part', `a:${good}:x`],
    ['a comma at the end', `a:${good},`],
    ['one id twice', `a:${good},a:${Buffer.alloc(32, 9).toString('base64')}`],
    ['an invalid second one', `a:${good},b:short`],
  ])('R-vault: HELVE_VAULT_KEYS with %s stops the start, without revealing the value', (_what, text) => {
    let error: unknown;
    try {
      keyringFromText(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'invalid_config', message: expect.stringContaining('HELVE_VAULT_KEYS') });
    const said = JSON.stringify(error) + String(error);
    if (text.length > 8) expect(said).not.toContain(text.slice(2, 12));
    expect(said).not.toContain(good.slice(0, 12));
  });
});
