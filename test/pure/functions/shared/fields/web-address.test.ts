import fc from 'fast-check';
import {
  normalWebAddress,
  parseWebAddress,
  WebAddress,
} from '../../../../../functions/shared/fields/web-address.ts';
import { corpusRows } from '../../../../support/corpus.ts';

test.each(corpusRows('web-addresses.tsv'))('%j is read as a web address: %s', (text = '', reading = '') => {
  const isRefused = reading.startsWith('must ');
  expect(parseWebAddress(text)).toEqual(isRefused ? { problem: reading } : { normal: reading });
  expect(WebAddress.safeParse(text)).toMatchObject(isRefused ? { success: false } : { data: text });
  if (isRefused) expect(() => normalWebAddress(text)).toThrow();
});

test('2,048 characters are accepted and 2,049 refused', () => {
  const url = `https://example.com/${'a'.repeat(2028)}`;
  expect(parseWebAddress(url)).toEqual({ normal: url });
  expect(parseWebAddress(`${url}a`)).toEqual({ problem: 'must be at most 2048 characters long' });
});

test('a normal form is its own normal form, and parsing never throws', () => {
  const anything = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((text) => `https://${text}`),
    fc.tuple(fc.ipV6(), fc.webPath()).map(([host, path]) => `http://[${host}]${path}`),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const reading = parseWebAddress(text);
      if ('normal' in reading) expect(parseWebAddress(reading.normal)).toEqual(reading);
    }),
    { numRuns: 200 },
  );
});

test('every notation of a private IPv4 address is refused', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const inPrivate = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127, 0), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  );
  const prefixes = new Map([
    [8, '0'],
    [16, '0x'],
  ]);
  const part = (n: number, base: number) => `${prefixes.get(base) ?? ''}${n.toString(base)}`;
  const base = fc.constantFrom(8, 10, 16);
  fc.assert(
    fc.property(inPrivate, base, base, fc.integer({ min: 1, max: 4 }), (octets, first, other, parts) => {
      const [a, b, c, d] = octets;
      const tail = [a, b, c, d].slice(parts - 1).reduce((sum, n) => sum * 256 + n, 0);
      const host = [...[a, b, c].slice(0, parts - 1).map((n) => part(n, other)), part(tail, first)].join('.');
      const hex = (x: number, y: number) => (x * 256 + y).toString(16);
      for (const text of [
        ...[host, `${host}.`, `[::ffff:${a}.${b}.${c}.${d}]`, `[::${a}.${b}.${c}.${d}]`],
        ...[`[64:ff9b::${a}.${b}.${c}.${d}]`, `[2002:${hex(a, b)}:${hex(c, d)}::1]`],
      ])
        expect(parseWebAddress(`http://${text}/`)).toEqual({
          problem: 'must have a host that could be public',
        });
    }),
  );
});
