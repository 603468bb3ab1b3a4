import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Reader, Response } from 'maxmind';

/** Where a device was last seen, for people to read; at most 100 characters each. */
export interface Place {
  /** "City, Country", only "Country" when the city is not known, or "Unknown". */
  location: string;
  /** Who runs the network, or "Unknown". */
  isp: string;
}

const unknown = 'Unknown';
const maxLength = 100;

/**
 * Looks addresses up in files beside the code; no request leaves for it.
 *
 * A file is read at the first address that needs it and kept in memory as long as the locator; one that is
 * absent or broken is not tried again. Addresses that belong to nobody in particular (private, loopback,
 * link-local, documentation and other special ranges) open none. Nothing here throws: a login is worth more
 * than knowing where it came from.
 *
 * @param directory has `city-ipv4.mmdb`, `city-ipv6.mmdb` (fields `country_code`, `city`), `asn-ipv4.mmdb` and
 *   `asn-ipv6.mmdb` (field `autonomous_system_organization`); undefined, every place is unknown.
 */
export function locator(directory: string | undefined): (address: string) => Promise<Place> {
  const opened = new Map<string, Promise<Reader<Response> | undefined>>();

  const find = async (file: string, address: string): Promise<object> => {
    if (directory === undefined) return {};
    let reader = opened.get(file);
    if (reader === undefined) {
      reader = open(join(directory, file));
      opened.set(file, reader);
    }
    try {
      return (await reader)?.get(address) ?? {};
    } catch {
      return {};
    }
  };

  return async (text) => {
    const address = publicAddress(text);
    if (address === undefined) return { location: unknown, isp: unknown };
    const family = address.kind();
    const [place, network] = await Promise.all([
      find(`city-${family}.mmdb`, address.toString()),
      find(`asn-${family}.mmdb`, address.toString()),
    ]);
    const country = countryName(field(place, 'country_code'));
    const city = field(place, 'city');
    return {
      location: shown(country === '' || city === '' ? country : `${city}, ${country}`),
      isp: shown(field(network, 'autonomous_system_organization')),
    };
  };
}

/** An address that can be somewhere; an IPv4 address mapped into IPv6 is the IPv4 address. */
function publicAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' ? address : undefined;
}

async function open(path: string): Promise<Reader<Response> | undefined> {
  try {
    // Here and not above: functions that import this file pay for the package only when they look something up.
    const { default: maxmind } = await import('maxmind');
    return await maxmind.open(path, { cache: { max: 1_000 } });
  } catch {
    return undefined;
  }
}

/** A field as one line of plain text: no control characters, nor those that turn the direction of writing. */
function field(record: object, name: string): string {
  const value: unknown = Reflect.get(record, name);
  if (typeof value !== 'string') return '';
  return value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}

/** The English name of an ISO 3166-1 code; empty for a code that names no country, such as ZZ. */
function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code) || code === 'ZZ') return '';
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) ?? '';
}

function shown(text: string): string {
  // A character outside the basic plane is two units, and is not cut in half.
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '') || unknown;
}
