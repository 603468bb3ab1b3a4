import { clientIdPrefix, type Signals } from './device-id.ts';

/** For one look-up from first to last: name resolution, connecting, headers and body, a second try included. */
export const profilingTimeoutMs = 1500;

/** An answer is an id and little around it. Counted as it is read, after any decompression. */
const maxAnswerBytes = 16 * 1024;

/** What can travel in a header: 1 to 128 visible ASCII characters, no space. */
const headerSafe = /^[\x21-\x7e]{1,128}$/;

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * The external device-profiling look-up: `POST { "signals": {...} }`, answered by `{ "deviceId": "..." }`.
 *
 * The service on the other side is not trusted with more than its purpose. It gets the signals and nothing that names
 * a user; whatever it answers but a usable id within the limit counts as unavailable, an id that pretends to have been
 * chosen by a client included. Nothing is thrown and nothing recorded.
 *
 * @param url an HTTPS endpoint; undefined (or anything else) is a look-up that is never available.
 * @returns resolves the id, or undefined when the look-up is unavailable.
 */
export function profilingLookup(
  url: string | undefined,
  { timeoutMs = profilingTimeoutMs }: { timeoutMs?: number } = {},
): (signals: Signals) => Promise<string | undefined> {
  if (url === undefined || URL.parse(url)?.protocol !== 'https:') return async () => undefined;
  return async (signals) => {
    try {
      const response = await post(url, payload(signals), AbortSignal.timeout(timeoutMs));
      return usableId(await readAnswer(response));
    } catch {
      return undefined;
    }
  };
}

/** These six fields and no other, whatever else hangs on the object. */
function payload(signals: Signals): string {
  const { clientDeviceUUID, userAgent, language, screenResolution, timezone, platform } = signals;
  return JSON.stringify({
    signals: { clientDeviceUUID, userAgent, language, screenResolution, timezone, platform },
  });
}

async function post(url: string, body: string, signal: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  // A redirect is an answer like any other that is no 2xx. (To have fetch throw would leave its body unread and its
  // connection open.)
  const send = () => fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  try {
    return await send();
  } catch (error) {
    // A function that was frozen between two requests wakes with a connection that the other side has closed long
    // ago, and finds out by using it. To look up twice does no harm; to fall back would quarantine a known device.
    if (!connectionLost(error)) throw error;
    return await send();
  }
}

/** Whether an established connection ended before any answer came. */
function connectionLost(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** The text of a good answer; undefined when it is none. Reads no further than the limit. */
async function readAnswer({ ok, headers, body }: Response): Promise<string | undefined> {
  if (body === null) return undefined;
  if (!ok || !jsonType.test(headers.get('content-type') ?? '')) {
    // An unread body would keep its connection, and the memory of what has arrived.
    await body.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // To leave the loop early cancels the body.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

function usableId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('deviceId' in answer)) return undefined;
  const { deviceId } = answer;
  if (typeof deviceId !== 'string' || !headerSafe.test(deviceId)) return undefined;
  return deviceId.startsWith(clientIdPrefix) ? undefined : deviceId;
}
