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
