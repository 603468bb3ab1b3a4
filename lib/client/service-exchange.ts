import type { Fetch } from './fetch.ts';
import type { Signal } from './share/signal.ts';

/** The part of a response of `fetch` in use. */
export type RawResponse = Awaited<ReturnType<Fetch>>;

export interface ServiceResponse {
  status: number;
  body: Record<string, unknown>;
  header(name: string): string | undefined;
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
  const body: Record<string, unknown> | null = JSON.parse(await response.text());
  if (typeof body !== 'object' || body === null) throw new TypeError('The answer is no JSON object.');
  return {
    status: response.status,
    body,
    header: (name) => response.headers.get(name) ?? undefined,
  };
}
