import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { locator } from '../../../../../functions/devices/identification/location.ts';
import { geoDirectory, writeGeoLayer } from '../../../../../lib/geo/layer.ts';
import { mmdb, type Value } from '../../../../../lib/geo/mmdb.ts';
import { geoSources } from '../../../../../lib/geo/sources.ts';

const require = createRequire(import.meta.url);
const work = mkdtempSync(join(tmpdir(), 'vouchsafe-location-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const nowhere = { location: 'Unknown', isp: 'Unknown' };
const names = ['city-ipv4', 'city-ipv6', 'asn-ipv4', 'asn-ipv6'].map((name) => `${name}.mmdb`);

/** A file with one record for every address. */
function file(ipVersion: 4 | 6, record: Record<string, Value>): Buffer {
  const last = (1n << (ipVersion === 4 ? 32n : 128n)) - 1n;
  return mmdb([{ first: 0n, last, record }], {
    ipVersion,
    type: 'test',
    description: '',
    buildEpochSeconds: 0,
  });
}

let directory: string;
let runs = 0;
beforeEach(() => {
  directory = join(work, `run-${runs++}`);
  mkdirSync(directory);
});

/** Writes files that know every address of both families. */
function fill(city: Record<string, Value>, network: Record<string, Value>): void {
  for (const ipVersion of [4, 6] as const) {
    writeFileSync(join(directory, `city-ipv${ipVersion}.mmdb`), file(ipVersion, city));
    writeFileSync(join(directory, `asn-ipv${ipVersion}.mmdb`), file(ipVersion, network));
  }
}
const porto = () =>
  fill({ country_code: 'PT', city: 'Porto' }, { autonomous_system_organization: 'Rede do Norte' });
const inPorto = { location: 'Porto, Portugal', isp: 'Rede do Norte' };

/** The module that maxmind reads files with. */
const { default: files } = require('maxmind/lib/fs');
const spyOnOpen = () => vi.spyOn(files, 'readFile');
/** The names of the files that were read since the spy was set, including those that failed. */
const openedBy = (spy: ReturnType<typeof spyOnOpen>) =>
  spy.mock.calls.map(([path]) => basename(String(path)));
afterEach(() => vi.restoreAllMocks());

describe('a location', () => {
  test('is the city and country, with the operator of the network', async () => {
    porto();
    expect(await locator(directory)('81.2.69.142')).toEqual(inPorto);
    expect(await locator(directory)('2a02:2e0:3fe::1')).toEqual(inPorto);
  });

  test.each([
    ['only the country when the city is not known', { country_code: 'PT', city: '' }, 'Portugal'],
    ['only the country when there is no such field', { country_code: 'PT' }, 'Portugal'],
    ['unknown without a country', { country_code: '', city: 'Atlantis' }, 'Unknown'],
    ['unknown with a code for no country', { country_code: 'ZZ', city: 'Atlantis' }, 'Unknown'],
    ['unknown with a code that was never given', { country_code: 'QX', city: 'Atlantis' }, 'Unknown'],
    ['unknown with a code of another form', { country_code: '../', city: 'Atlantis' }, 'Unknown'],
    ['unknown with fields of another form', { country_code: ['PT'], city: { en: 'Porto' } }, 'Unknown'],
  ])('is %s', async (_, city, location) => {
    fill(city, { autonomous_system_organization: 'Rede do Norte' });
    expect(await locator(directory)('81.2.69.142')).toEqual({ location, isp: 'Rede do Norte' });
  });

  test('has at most 100 characters, none of them cut in half', async () => {
    fill(
      { country_code: 'PT', city: 'é'.repeat(300) },
      { autonomous_system_organization: `${'x'.repeat(99)}👋` },
    );
    expect(await locator(directory)('81.2.69.142')).toEqual({
      location: 'é'.repeat(100),
      isp: 'x'.repeat(99),
    });
  });

  test('has no control characters, so that it starts no line of a mail and turns no text around', async () => {
    fill(
      { country_code: 'PT', city: 'Po\u2028r\r\nto\u0000' },
      { autonomous_system_organization: '\u202eRede\t do\u00ad Norte\u009b ' },
    );
    expect(await locator(directory)('81.2.69.142')).toEqual(inPorto);
  });

  test('is unknown when it has only control characters', async () => {
    fill({ country_code: 'PT', city: '\n' }, { autonomous_system_organization: '\u0007 ' });
    expect(await locator(directory)('81.2.69.142')).toEqual({ location: 'Portugal', isp: 'Unknown' });
  });
});

describe('the database files', () => {
  test('of an address family are opened once, for its addresses only, and kept', async () => {
    porto();
    const spy = spyOnOpen();
    const locate = locator(directory);
    const places = await Promise.all(Array.from({ length: 100 }, (_, i) => locate(`81.2.69.${i}`)));
    expect(places).toEqual(Array(100).fill(inPorto));
    expect(openedBy(spy).sort()).toEqual(['asn-ipv4.mmdb', 'city-ipv4.mmdb']);

    for (const name of names) if (name.includes('ipv4')) rmSync(join(directory, name));
    expect(await locate('81.2.69.142')).toEqual(inPorto);
    await Promise.all(Array.from({ length: 100 }, (_, i) => locate(`2a02:2e0:3fe::${i}`)));
    expect(openedBy(spy).sort()).toEqual([...names].sort());
  });

  test('of IPv4 serve IPv4-mapped IPv6 addresses', async () => {
    porto();
    const spy = spyOnOpen();
    expect(await locator(directory)('::ffff:81.2.69.142')).toEqual(inPorto);
    expect(await locator(directory)('::ffff:5102:458e')).toEqual(inPorto);
    expect(openedBy(spy).filter((name) => name.includes('ipv6'))).toEqual([]);
  });

  test.each([
    ['private', ['10.0.0.1', '172.16.0.1', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.1']],
    ['loopback', ['127.0.0.1', '::1', '::ffff:127.0.0.1']],
    ['link-local', ['169.254.1.1', 'fe80::1', 'fe80::1%eth0']],
    ['documentation', ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1']],
    ['shared by a carrier', ['100.64.0.1']],
    ['multicast or broadcast', ['224.0.0.1', 'ff02::1', '255.255.255.255']],
    ['unspecified', ['0.0.0.0', '::']],
    ['benchmark or reserved', ['198.18.0.1', '240.0.0.1', '2001:2::1']],
    ['of a tunnel', ['2002:5102:458e::1', '2001::1', '64:ff9b::5102:458e']],
    ['invalid', ['', 'unknown', 'localhost', '81.2.69.256', '81.2.69.142, 10.0.0.1', '2a02::1::2']],
  ])('stay closed for addresses that are %s, whose location is unknown', async (_, addresses) => {
    porto();
    const spy = spyOnOpen();
    const locate = locator(directory);
    for (const address of addresses) {
      expect(await locate(address), address).toEqual(nowhere);
    }
    expect(openedBy(spy)).toEqual([]);
  });

  test('are optional: without a directory, or with an absent or empty one, every location is unknown', async () => {
    for (const none of [undefined, join(directory, 'absent'), directory]) {
      expect(await locator(none)('81.2.69.142')).toEqual(nowhere);
      expect(await locator(none)('2a02:2e0:3fe::1')).toEqual(nowhere);
    }
  });

  test('are independent: the location is known when the network files are missing', async () => {
    porto();
    rmSync(join(directory, 'asn-ipv4.mmdb'));
    expect(await locator(directory)('81.2.69.142')).toEqual({ ...inPorto, isp: 'Unknown' });
  });

  const whole = file(4, { country_code: 'PT', city: 'Porto' });
  test.each([
    ['empty', Buffer.alloc(0)],
    ['one byte', Buffer.from('x')],
    ['something else', Buffer.from('<!doctype html>'.repeat(1_000))],
    ['compressed', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
    ['cut short', whole.subarray(0, whole.length - 40)],
    ['without its beginning', whole.subarray(30)],
    ['overwritten with ones', Buffer.concat([Buffer.alloc(60, 0xff), whole.subarray(60)])],
    ['a marker and nothing after it', Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')],
  ])('may be broken (%s): the location is unknown, and the file is not opened again', async (_, broken) => {
    porto();
    writeFileSync(join(directory, 'city-ipv4.mmdb'), broken);
    const spy = spyOnOpen();
    const locate = locator(directory);
    for (let i = 0; i < 3; i++) {
      expect(await locate('81.2.69.142')).toEqual({ ...inPorto, location: 'Unknown' });
    }
    expect(openedBy(spy).sort()).toEqual(['asn-ipv4.mmdb', 'city-ipv4.mmdb']);
  });
});

const installed = geoSources.every(({ package: name }) => {
  try {
    return require.resolve(`${name}/package.json`) !== '';
  } catch {
    return false;
  }
});

describe.skipIf(!installed)('the packaged data', () => {
  const locate = locator(geoDirectory);
  // Kept between runs: converted again only when a package or the conversion changes.
  beforeAll(() => writeGeoLayer(), 120_000);

  test.each([
    ['8.8.8.8', /, United States$/, /google/i],
    ['1.1.1.1', /\w/, /cloudflare/i],
    ['9.9.9.9', /\w/, /quad9/i],
    ['::ffff:8.8.8.8', /, United States$/, /google/i],
    ['193.99.144.80', /, Germany$/, /plus\.line/i],
    ['2001:4860:4860::8888', /\w, \w/, /google/i],
    ['2606:4700:4700::1111', /\w/, /cloudflare/i],
    ['2a02:2e0:3fe:1001:302::', /, Germany$/, /plus\.line/i],
  ])('knows %s', async (address, location, isp) => {
    const place = await locate(address);
    expect(place.location).toMatch(location);
    expect(place.isp).toMatch(isp);
    expect(place).not.toEqual(expect.objectContaining({ location: 'Unknown' }));
  });

  test('does not know unassigned addresses', async () => {
    expect(await locate('4000::1')).toEqual(nowhere);
  });

  test('fits a Lambda layer, with its licenses', () => {
    const { bytes } = JSON.parse(readFileSync(join(geoDirectory, 'manifest.json'), 'utf8'));
    const sizes = Object.values<number>(bytes);
    // A function and its layers have 250 MB at most.
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(160_000_000);
    expect(Object.keys(bytes).sort()).toEqual(
      [
        ...names,
        ...['NOTICE', 'city-DBIP-LICENSE', 'asn-DBIP-LICENSE', 'asn-NRO_LICENSE'],
        ...['asn-ROUTEVIEWS-LICENSE', 'asn-MODIFICATIONS'],
      ].sort(),
    );
  });
});
