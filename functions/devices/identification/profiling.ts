import { clientIdPrefix, type Signals } from './device-id.ts';

/** For one lookup in total: name resolution, connection, headers, body and one retry. */
export const lookupTimeoutMs = 1_500;

/** A response contains little more than an id. Counted while it is read, after any decompression. */
const maxResponseBytes = 16 * 1024;

/** An id is sent in a header: 1 to 128 visible ASCII characters without spaces. */
const headerSafe = /^[\x21-\x7e]{1,128}$/;

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * The lookup of the external device-profiling service: `POST { "signals": {...} }` returns `{ "deviceId": "..." }`.
 *
 * The service is not trusted beyond its purpose. It receives the signals and nothing that identifies a user. Any
 * response except a valid id within the timeout counts as unavailable, including an id with the prefix of client-chosen
 * ids. Nothing is thrown and nothing is logged.
 *
 * @param url an HTTPS endpoint. Without one, the lookup is always unavailable.
 * @returns resolves the id, or undefined when the service is unavailable.
 */
export function deviceLookup(
  url: string | undefined,
  { timeoutMs = lookupTimeoutMs }: { timeoutMs?: number } = {},
): (signals: Signals) => Promise<string | undefined> {
  if (url === undefined || URL.parse(url)?.protocol !== 'https:') return async () => undefined;
  return async (signals) => {
    try {
      const response = await post(url, payload(signals), AbortSignal.timeout(timeoutMs));
      return parseId(await readText(response));
    } catch {
      return undefined;
    }
  };
}

/** Exactly these six fields, whatever other properties the object has. */
function payload(signals: Signals): string {
  const { clientDeviceUUID, userAgent, language, screenResolution, timezone, platform } = signals;
  return JSON.stringify({
    signals: { clientDeviceUUID, userAgent, language, screenResolution, timezone, platform },
  });
}

async function post(url: string, body: string, signal: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  // A redirect is handled like any other response that is not 2xx. With `redirect: 'error'`, fetch would
  // leave the body unread and the connection open.
  const send = () => fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  try {
    return await send();
  } catch (error) {
    // While the function was frozen between two requests, the service may have closed the connection, which is
    // only detected on use. A repeated lookup is harmless, whereas the fallback would quarantine a known device.
    if (!connectionLost(error)) throw error;
    return await send();
  }
}

function connectionLost(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** The body of a successful JSON response; undefined for any other. Reads at most the size limit. */
async function readText({ ok, headers, body }: Response): Promise<string | undefined> {
  if (body === null) return undefined;
  if (!ok || !jsonType.test(headers.get('content-type') ?? '')) {
    // An unread body would keep its connection and its memory.
    await body.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the body.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxResponseBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

function parseId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('deviceId' in value)) return undefined;
  const { deviceId } = value;
  if (typeof deviceId !== 'string' || !headerSafe.test(deviceId)) return undefined;
  return deviceId.startsWith(clientIdPrefix) ? undefined : deviceId;
}
