import type { Fetch } from './fetch.ts';
import { isObject } from './fields.ts';
import type { Signal } from './share/signal.ts';

/** The part of a response of `fetch` in use. */
export type RawResponse = Awaited<ReturnType<Fetch>>;

export interface ServiceResponse {
  status: number;
  body: Readonly<Record<string, unknown>>;
  header(name: string): string | undefined;
}

/** A request of the service. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the address of the API: `/api/vault`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

/** The address, the headers and the bytes of a request. @param apiUrl without a slash at its end. */
export function encoded(apiUrl: string, { path, query, headers, body: value }: ServiceRequest) {
  const url = new URL(apiUrl + path);
  url.search = String(new URLSearchParams(query));
  const body = value === undefined ? undefined : new TextEncoder().encode(JSON.stringify(value));
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return { url: url.href, headers: Object.assign(type, headers), body };
}

/** The options of `fetch`. {@link Fetch} leaves the type of the signal open: browsers and Node.js declare different ones. */
export function requestInit(
  method: string,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer> | undefined,
  signal: Signal,
): Parameters<Fetch>[1] {
  return Object.assign(
    {
      method,
      headers,
      cache: 'no-store' as const,
      credentials: 'omit' as const,
      // A redirected request would carry a proof or a token to another address.
      redirect: 'error' as const,
      signal: signal as never,
    },
    body && { body },
  );
}

/** @throws Error for anything but a JSON object: another server answered, such as the sign-in page of a hotel's network. */
export async function readResponse(response: RawResponse): Promise<ServiceResponse> {
  const body: unknown = JSON.parse(await response.text());
  if (!isObject(body)) throw new TypeError('The answer is no JSON object.');
  return {
    status: response.status,
    body,
    header: (name) => response.headers.get(name) ?? undefined,
  };
}
