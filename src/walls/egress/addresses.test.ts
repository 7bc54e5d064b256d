import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getSpecialRange, isOpened, parseAddress, parseNetwork, wrapsIPv4 } from './addresses.js';

const special4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16', '172.16.0.0/12',
  '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16',
  '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
]; // biome-ignore format: a table
const special6 = [
  '::/128', '::1/128', '::ffff:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/32', '2001:10::/28',
  '2001:20::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10',
  'fec0::/10', 'ff00::/8', '4000::/3', '8000::/1',
]; // biome-ignore format: a table

function network(cidr: string) {
  const parsed = parseNetwork(cidr);
  if (parsed === undefined) throw new Error(cidr);
  return parsed;
}

const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

function colons(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(
    ':',
  );
}

/** An arbitrary address of any of the networks. */
function within(cidrs: readonly string[], bits: number): fc.Arbitrary<bigint> {
  return fc.oneof(
    ...cidrs.map((cidr) => {
      const { value, prefix } = network(cidr);
      return fc.bigInt({ min: value, max: value + (1n << BigInt(bits - prefix)) - 1n });
    }),
  );
}

const number = (value: number) => fc.constantFrom(String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`);

/** The spellings of an IPv4 address that a URL accepts: 1 to 4 parts, each decimal, hex or octal. */
function spellings(value: number): fc.Arbitrary<string> {
  const [a = 0, b = 0, c = 0, d = 0] = dotted(value).split('.').map(Number);
  const parts = [[value], [a, value % 2 ** 24], [a, b, value % 2 ** 16], [a, b, c, d]];
  const digits = (text: string) =>
    fc.constantFrom(
      text,
      text.toUpperCase().replace('X', 'x'),
      text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      text.replace(/[0-9]/g, (digit) => `%3${digit}`),
      `${text.slice(0, 1)}\u00ad${text.slice(1)}`,
      `${text}.`,
      text.replaceAll('.', '。'),
      text.replaceAll('.', '%2e'),
    );
  return fc.oneof(...parts.map((part) => fc.tuple(...part.map(number)).map((texts) => texts.join('.')))).chain(digits);
}

describe('addresses', () => {
  it('R-http: every IPv4 address of a special range is refused in every spelling a URL accepts', () => {
    const cases = within(special4, 32).chain((value) => fc.tuple(fc.constant(value), spellings(Number(value))));
    fc.assert(
      fc.property(cases, ([value, text]) => {
        const host = new URL(`http://${text}/`).hostname;
        const address = parseAddress(host);
        expect(address).toEqual({ family: 4, value });
        expect(address && getSpecialRange(address)).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('R-http: every IPv6 address outside global unicast or in a special range is refused', () => {
    fc.assert(
      fc.property(within(special6, 128), (value) => {
        const address = parseAddress(new URL(`http://[${colons(value)}]/`).hostname.slice(1, -1));
        expect(address).toEqual({ family: 6, value });
        expect(address && getSpecialRange(address)).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('allows every other IPv4 address', () => {
    const networks = special4.map(network);
    const global = fc
      .integer({ min: 0, max: 2 ** 32 - 1 })
      .filter(
        (value) =>
          !networks.some(
            (entry) => BigInt(value) >> BigInt(32 - entry.prefix) === entry.value >> BigInt(32 - entry.prefix),
          ),
      );
    fc.assert(
      fc.property(global, (value) => {
        const address = parseAddress(dotted(value >>> 0));
        expect(address && getSpecialRange(address)).toBeUndefined();
        expect(address).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::200e',
    '2001:4860:4860::8888',
  ])('calls %s public', (text) => {
    const address = parseAddress(text);
    expect(address && getSpecialRange(address)).toBeUndefined();
    expect(address).toBeDefined();
  });

  it('R-http: an IPv4 address wrapped in IPv6 is refused, for every embedded address, and cannot be opened', () => {
    const open = [network('8.8.8.8'), network('::/1')];
    for (const text of ['::ffff:8.8.8.8', '::ffff:808:808', '::8.8.8.8', '::ffff:127.0.0.1']) {
      const address = parseAddress(text);
      expect(address && getSpecialRange(address)).toBeDefined();
      expect(address && wrapsIPv4(address)).toBe(true);
      expect(address && isOpened(open, address, 80)).toBe(false);
    }
  });

  it('R-http: ISATAP is refused in any prefix', () => {
    for (const text of ['2a00::5efe:7f00:1', '2a00::200:5efe:7f00:1']) {
      const address = parseAddress(text);
      expect(address && getSpecialRange(address)).toBe('ISATAP');
    }
  });

  it.each([
    'fe80::1%eth0',
    '::1%lo',
    'localhost',
    '',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4.',
    '[::1]',
  ])('does not read %j as an address', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it.each([
    '',
    '10.0.0.1/8',
    '1.2.3.4/33',
    '0.0.0.0/33',
    '::/129',
    '1.2.3',
    '1.2.3.4:0',
    '1.2.3.4:65536',
    '[1.2.3.4]',
    'fd00::1/8',
    '::1%lo',
    'example.com',
    '1.2.3.4/',
  ])('does not read %j as a network', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });

  it('opens one port of one address and nothing else', () => {
    const open = [network('127.0.0.2:8080'), network('[::1]:8080'), network('10.1.0.0/16')];
    const opened = (text: string, port: number) => {
      const address = parseAddress(text);
      return address !== undefined && isOpened(open, address, port);
    };
    expect([opened('127.0.0.2', 8080), opened('::1', 8080), opened('10.1.2.3', 9)]).toEqual([true, true, true]);
    expect([opened('127.0.0.2', 8081), opened('127.0.0.1', 8080), opened('::1', 80), opened('10.2.0.1', 9)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
