import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Reader, Response } from 'maxmind';

/** The location of an address, for people to read. At most 100 characters each. */
export interface Location {
  /** "City, Country", "Country" when the city is unknown, or "Unknown". */
  location: string;
  isp: string;
}

const unknown = 'Unknown';
const maxLength = 100;

/**
 * Looks up addresses in local files, without network requests.
 *
 * A file is read at the first address that needs it and stays in memory. A missing or broken file is not tried again.
 * Addresses without a location (private, loopback, link-local, documentation and other special ranges) read no file.
 * Nothing throws, because an unknown location must not fail a sign-in.
 *
 * @param directory contains `city-ipv4.mmdb`, `city-ipv6.mmdb` (fields `country_code`, `city`), `asn-ipv4.mmdb` and
 *   `asn-ipv6.mmdb` (field `autonomous_system_organization`). When undefined, every location is unknown.
 */
export function locator(directory: string | undefined): (address: string) => Promise<Location> {
  const readers = new Map<string, Promise<Reader<Response> | undefined>>();

  const lookUp = async (file: string, address: string): Promise<object> => {
    if (directory === undefined) return {};
    let reader = readers.get(file);
    if (reader === undefined) {
      reader = open(join(directory, file));
      readers.set(file, reader);
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
    const [city, network] = await Promise.all([
      lookUp(`city-${family}.mmdb`, address.toString()),
      lookUp(`asn-${family}.mmdb`, address.toString()),
    ]);
    const country = countryName(field(city, 'country_code'));
    const cityName = field(city, 'city');
    return {
      location: truncated(country === '' ? '' : [cityName, country].filter((name) => name !== '').join(', ')),
      isp: truncated(field(network, 'autonomous_system_organization')),
    };
  };
}

/** An address that can have a location. An IPv4-mapped IPv6 address becomes the IPv4 address. */
function publicAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' ? address : undefined;
}

async function open(path: string): Promise<Reader<Response> | undefined> {
  try {
    // Loaded on first use, so that cold starts do not pay for it.
    const { default: maxmind } = await import('maxmind');
    return await maxmind.open(path, { cache: { max: 1_000 } });
  } catch {
    return undefined;
  }
}

/** A field as one line of plain text, without control characters and characters that change the writing direction. */
function field(record: object, name: string): string {
  const value: unknown = Reflect.get(record, name);
  if (typeof value !== 'string') return '';
  return value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}

/** The English name of an ISO 3166-1 country code; empty for other codes such as ZZ. */
function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code) || code === 'ZZ') return '';
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) ?? '';
}

function truncated(text: string): string {
  // The cut must not leave half of a surrogate pair.
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '') || unknown;
}
