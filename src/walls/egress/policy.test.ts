import { describe, expect, it } from 'vitest';
import { createEgress, type EgressPolicy } from './index.js';

describe('policy', () => {
  it.each([
    [{ allowDomains: [] }],
    [{ allowedDomains: 'a.example' }],
    [{ allowedDomains: ['https://a.example'] }],
    [{ allowedPorts: [0] }],
    [{ schemes: ['ftp:'] }],
    [{ allowedAddresses: ['127.0.0.1/8'] }],
    [{ allowedAddresses: ['0.0.0.0/0'] }],
    [{ allowedAddresses: ['::ffff:127.0.0.1'] }],
    [{ timeoutMs: 0 }],
    [{ maxBytes: -1 }],
    [{ maxBytes: Number.NaN }],
    [{ lookup: 'dns' }],
    [{ truncate: 'yes' }],
    [{ allowedDomains: 'a' }],
    [{ allowedDomains: [7] }],
    [{ allowedAddresses: [7] }],
    [{ allowedPorts: [65_536] }],
    [{ allowedPorts: ['443'] }],
    [{ allowedPorts: [443.5] }],
    [{ openHosts: [null] }],
    [{ openHosts: [{ host: '', port: 80 }] }],
    [{ openHosts: [{ host: 7, port: 80 }] }],
    [{ openHosts: [{ host: 'a.example', port: 0 }] }],
    [{ openHosts: [{ host: 'a.example' }] }],
    [null],
    [7],
  ])('refuses the policy %j', (policy) => {
    expect(() => createEgress(policy as EgressPolicy)).toThrow(expect.objectContaining({ code: 'invalid_config' }));
  });

  it('is optional, and so is each of its keys', () => {
    expect(() => [
      createEgress(),
      createEgress({}),
      createEgress({ allowedDomains: ['*'], maxRedirects: 0 }),
    ]).not.toThrow();
  });
});
