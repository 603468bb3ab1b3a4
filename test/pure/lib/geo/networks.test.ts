import { Reader, type Response } from 'maxmind';
import { networkDatabase } from '../../../../lib/geo/sources.ts';

const read = (csv: string, ipVersion: 4 | 6 = 4) =>
  new Reader<Response>(networkDatabase(csv, ipVersion, 1_700_000_000));

test('reads rows with quotes, commas and either kind of line end', () => {
  const reader = read(
    ['16777216,16777471,13335,"Cloudflare, Inc."\r', '16777472,16777473,7,"LLC ""SPUTNIK"""', ''].join('\n'),
  );
  expect(reader.get('1.0.0.0')).toEqual({ autonomous_system_organization: 'Cloudflare, Inc.' });
  expect(reader.get('1.0.0.255')).toEqual({ autonomous_system_organization: 'Cloudflare, Inc.' });
  expect(reader.get('1.0.1.1')).toEqual({ autonomous_system_organization: 'LLC "SPUTNIK"' });
  expect(reader.get('1.0.1.2')).toBeNull();
  expect(reader.metadata.buildEpoch).toEqual(new Date('2023-11-14T22:13:20Z'));
});

test('reads IPv6 rows in 128 bits', () => {
  const first = 0x2001_4860n << 96n;
  const reader = read(`${first},${first + 255n},15169,Google LLC\n`, 6);
  expect(reader.get('2001:4860::ff')).toEqual({ autonomous_system_organization: 'Google LLC' });
  expect(reader.get('2001:4860::100')).toBeNull();
});

test('names a malformed row', () => {
  expect(() => read('1.0.0.0,1.0.0.255,13335,Cloudflare\n')).toThrow('1.0.0.0,1.0.0.255,13335,Cloudflare');
});
