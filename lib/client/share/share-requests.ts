import type { Fetch } from '../fetch.ts';
import {
  encoded,
  type RawResponse,
  readResponse,
  requestInit,
  type ServiceRequest,
  type ServiceResponse,
} from '../service-exchange.ts';
import { ShareError } from './share-error.ts';
import type { Signal } from './signal.ts';

/** The part of `XMLHttpRequest` in use. `fetch` does not tell how much of a body was sent. https://xhr.spec.whatwg.org */
interface Xhr {
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  readonly status: number;
  readonly responseText: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: Uint8Array<ArrayBuffer>): void;
  abort(): void;
}

/** Only the types of browsers have it. */
declare const XMLHttpRequest: new () => Xhr;

interface Upload {
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  onUploaded: (fraction: number) => void;
  signal?: Signal | undefined;
}

/**
 * Posts a body and tells how much of it was sent, 0 to 1. Without cookies: cross-origin requests have none.
 *
 * @throws Error when no answer arrives, or the signal is aborted
 */
function upload(url: string, { headers, body, onUploaded, signal }: Upload): Promise<RawResponse> {
  const xhr = new XMLHttpRequest();
  const abort = () => xhr.abort();
  const answered = new Promise<RawResponse>((resolve, reject) => {
    xhr.upload.onprogress = ({ loaded, total }) => onUploaded(total > 0 ? loaded / total : 0);
    xhr.onload = () => {
      const { status, responseText } = xhr;
      const get = (name: string) => xhr.getResponseHeader(name);
      resolve({ status, headers: { get }, text: async () => responseText });
    };
    xhr.onerror = () => reject(new TypeError('The upload failed.'));
    xhr.onabort = () => reject(new TypeError('The upload was aborted.'));
    signal?.addEventListener('abort', abort);
    xhr.open('POST', url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.send(body);
  });
  return answered.finally(() => signal?.removeEventListener('abort', abort));
}

export interface ShareRequest extends ServiceRequest {
  path: '/api/share' | '/api/share/receipt';
  /** Receives the part of the body that was sent, where the platform tells: in browsers without an own `fetch`. */
  onUploaded?: ((fraction: number) => void) | undefined;
  signal?: Signal | undefined;
  /** The meaning of an answer that does not arrive, as a sentence. */
  whenLost: string;
  /** The meaning of 404, as a sentence. */
  whenGone: string;
}

/**
 * Sends one request, and never a second one: a share may be used up by the first.
 *
 * @returns any answer of the service, errors included
 * @throws {ShareError} `unreachable`
 * @throws the reason of the signal when it was aborted
 */
export async function sendShareRequest(
  apiUrl: string,
  ownFetch: Fetch | undefined,
  request: ShareRequest,
): Promise<ServiceResponse> {
  const { method, onUploaded, signal } = request;
  const { url, headers, body } = encoded(apiUrl, request);
  throwIfAborted(signal);
  try {
    const answer =
      body && onUploaded && ownFetch === undefined && 'XMLHttpRequest' in globalThis
        ? await upload(url, { headers, body, onUploaded, signal })
        : await (ownFetch ?? pageFetch)(
            url,
            requestInit(method, headers, body, signal ?? new AbortController().signal),
          );
    return await readResponse(answer);
  } catch (cause) {
    throwIfAborted(signal);
    throw new ShareError('unreachable', `No answer of the service arrived. ${request.whenLost}`, { cause });
  }
}

/** Called as a function of the page: browsers refuse it as a method of another object. */
const pageFetch: Fetch = (url, init) => globalThis.fetch(url, init);

/** `signal.throwIfAborted()` and `signal.reason` are younger than the browsers that the package supports. */
function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? new DOMException('The operation was aborted.', 'AbortError');
}
