/**
 * The size of a result as Lambda returns it: JSON that contains the JSON of the body.
 *
 * A quote of a title takes one byte in the title, two in the body and four in the result; a control character takes
 * seven in the result.
 */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { jsonType } from '../contract/headers.ts';
import { maxResultBytes } from '../contract/route.ts';

/** Left for the fields around a body. API Gateway returns at most 10,240 bytes of headers. */
const reservedBytes = 64 * 1024;
/** In JSON, a character takes at most six bytes: a body of this length fits, whatever it contains. */
const fittingLength = Math.floor((maxResultBytes - reservedBytes) / 6);

export class ResponseTooLarge extends Error {
  constructor(bytes: number) {
    super(`The result has ${bytes} bytes, and Lambda returns at most ${maxResultBytes}`);
    this.name = 'ResponseTooLarge';
  }
}

/** The error of a result that Lambda would not return; undefined when it fits. Only a large body is measured. */
export function tooLarge(result: APIGatewayProxyResult): ResponseTooLarge | undefined {
  const { body, headers } = result;
  if (body.length <= fittingLength) return undefined;
  const isJson = headers?.['content-type'] === jsonType;
  if (isJson && jsonBytes(body) <= maxResultBytes - reservedBytes) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  return bytes > maxResultBytes ? new ResponseTooLarge(bytes) : undefined;
}

/**
 * The bytes of a text in JSON that is JSON itself, and therefore contains no control character as it is. Of Base64, the
 * largest bodies, counting takes a fifth of the time of a serialization.
 */
function jsonBytes(json: string): number {
  let bytes = Buffer.byteLength(json);
  for (const escaped of ['"', '\\']) {
    for (let at = json.indexOf(escaped); at !== -1; at = json.indexOf(escaped, at + 1)) bytes += 1;
  }
  return bytes;
}

/** The most that the records of a page take of a result. The rest is for what surrounds them. */
export const maxPageBytes = 4_000_000;

/**
 * The records of a page, as many as fit.
 *
 * A record counts with an upper bound that costs no serialization. Records are measured once the bounds no longer fit,
 * and each at most once.
 */
export class PageSize {
  readonly #maxBytes: number;
  /** Measured sizes and bounds, in bytes as sent. */
  #bytes = 0;
  #bounded: { record: unknown; bound: number }[] = [];
  #isEmpty = true;

  constructor(maxBytes = maxPageBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a record when it fits. The first record always does, so that every page leads to the next. */
  add(record: unknown): boolean {
    const bound = sentBytesBound(record);
    if (this.#bytes + bound > this.#maxBytes) this.#measure();
    const fits = this.#bytes + bound <= this.#maxBytes;
    const bytes = fits ? bound : sentBytes(record);
    if (!this.#isEmpty && this.#bytes + bytes > this.#maxBytes) return false;
    if (fits) this.#bounded.push({ record, bound });
    this.#bytes += bytes;
    this.#isEmpty = false;
    return true;
  }

  #measure(): void {
    for (const { record, bound } of this.#bounded) this.#bytes += sentBytes(record) - bound;
    this.#bounded = [];
  }
}

export function fittingRecords<T>(records: readonly T[], page: PageSize): T[] {
  const end = records.findIndex((record) => !page.add(record));
  return end === -1 ? [...records] : records.slice(0, end);
}

/** The bytes that a record of a list takes in a result, the comma after it included. */
export function sentBytes(record: unknown): number {
  // Instead of the comma, two quotes are counted.
  return Buffer.byteLength(JSON.stringify(JSON.stringify(record))) - 1;
}

/** At least {@link sentBytes}: every character counts as a control character. */
export function sentBytesBound(value: unknown): number {
  if (typeof value === 'string') return 7 * value.length + 5;
  // The longest number that JSON.stringify writes has 25 characters.
  if (typeof value !== 'object' || value === null) return 26;
  let bytes = 3;
  if (Array.isArray(value)) {
    for (const one of value) bytes += sentBytesBound(one);
    return bytes;
  }
  for (const name in value) bytes += 7 * name.length + 5 + sentBytesBound(Reflect.get(value, name));
  return bytes;
}
