import { describe, expect, test } from 'vitest';
import { peer } from './peer.js';

describe('R-sdk: SDKs are optional', () => {
  test('R-sdk: an installed one is loaded', async () => {
    expect(await peer('zod', () => import('zod'))).toHaveProperty('z');
  });

  test('R-sdk: a missing package is named, with a remedy', async () => {
    const name = '@example/not-installed';
    await expect(peer(name, () => import(/* @vite-ignore */ name))).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(name),
      hint: `npm install ${name}`,
    });
  });

  test('R-sdk: any other failure of its code passes through', async () => {
    const broken = new Error('it broke while loading');
    await expect(peer('zod', () => Promise.reject(broken))).rejects.toBe(broken);
    const inner = Object.assign(new Error("Cannot find package 'other' imported from zod"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(peer('zod', () => Promise.reject(inner))).rejects.toBe(inner);
  });
});
