import type { RawResponse } from '../service-exchange.ts';
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
export function upload(url: string, { headers, body, onUploaded, signal }: Upload): Promise<RawResponse> {
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
