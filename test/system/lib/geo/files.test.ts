import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeGeoFiles } from '../../../../lib/geo/files.ts';
import type { GeoSource } from '../../../../lib/geo/sources.ts';

const work = mkdtempSync(join(tmpdir(), 'vouchsafe-geo-files-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

let directory: string;
let made: string[];
let warnings: string[];
let runs = 0;
beforeEach(() => {
  directory = join(work, `run-${runs++}`, 'geo');
  made = [];
  warnings = [];
});

const packages = { city: 'ipaddr.js', asn: 'maxmind' };

/** A source whose package is always installed, or never. */
const source = (name: 'city' | 'asn', installed = true): GeoSource => ({
  package: installed ? packages[name] : 'vouchsafe-has-no-such-package',
  gives: `the ${name} of an address`,
  attribution: `${name} by Nobody`,
  files: [
    {
      name: `${name}.mmdb`,
      make: async () => {
        made.push(name);
        return Buffer.from(`all about ${name}`);
      },
    },
  ],
});
const write = (...sources: GeoSource[]) =>
  writeGeoFiles(directory, { sources, warn: (message) => warnings.push(message) });
const content = (name: string) => readFile(join(directory, name), 'utf8');

test('writes the files, and a notice with their attribution', async () => {
  await write(source('city'), source('asn'));
  expect((await readdir(directory)).sort()).toEqual(['NOTICE', 'asn.mmdb', 'city.mmdb', 'manifest.json']);
  expect(await content('city.mmdb')).toBe('all about city');
  expect(await content('NOTICE')).toMatch(/city by Nobody.*asn by Nobody.*CC BY 4\.0/s);
  expect(warnings).toEqual([]);
});

describe('a directory that was written before', () => {
  beforeEach(() => write(source('city')));

  test.each([
    ['has a file cut short', () => writeFile(join(directory, 'city.mmdb'), 'all')],
    ['has a broken manifest', () => writeFile(join(directory, 'manifest.json'), '{')],
    [
      'is of another version of a package',
      async () => {
        const manifest = JSON.parse(await content('manifest.json'));
        manifest.madeFrom['ipaddr.js'] = '0.0.1';
        await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
      },
    ],
  ])('is written again when it %s', async (_, damage) => {
    await damage();
    await write(source('city'));
    expect(made).toEqual(['city', 'city']);
    expect(await content('city.mmdb')).toBe('all about city');
  });
});

test('data whose package is not installed is left out, and the warning says what is missing', async () => {
  await write(source('city', false), source('asn'));
  expect((await readdir(directory)).sort()).toEqual(['NOTICE', 'asn.mmdb', 'manifest.json']);
  expect(warnings).toEqual([expect.stringMatching(/vouchsafe-has-no-such-package.*the city of an address/)]);
  expect(await content('NOTICE')).not.toContain('city');
});
