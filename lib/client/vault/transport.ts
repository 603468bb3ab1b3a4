import type { Fetch } from '../fetch.ts';
import { readResponse, requestInit, type ServiceResponse } from '../service-exchange.ts';
import type { Credential } from './credentials.ts';
import { dpopProof } from './dpop.ts';
import { VaultError } from './vault-error.ts';

export interface ServiceRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the address of the API: `/api/vault`. */
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Whether the request may be sent again when its response is lost. */
  repeatable: boolean;
}

export interface TransportOptions {
  apiUrl: string;
  fetch: Fetch;
  /** Epoch milliseconds. */
  nowMs: () => number;
  /** Waits before a request is sent again. */
  wait: (ms: number) => Promise<void>;
  /** Milliseconds until an attempt is given up. */
  timeoutMs: number;
}

const maxAttempts = 3;
const firstPauseMs = 300;
/** A proof is accepted within 60 seconds; `Date` has whole seconds, and the response took its time. */
const noticeableSkewMs = 30_000;

/** Sends requests, each attempt with a proof of its own. */
export class Transport {
  readonly #options: TransportOptions;
  /** The time of the service minus that of the device. */
  #skewMs = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * Sends a request. One that is repeatable is sent up to three times while no response or a 5xx arrives.
   *
   * When the service refuses a proof as such, or does not recognize the device and shows another time than the device, the
   * clock is corrected by `serverTime` or the header `Date` of the response, and the request is sent once more.
   *
   * @returns any response, errors included
   * @throws {VaultError} `unreachable`
   */
  async send(request: ServiceRequest, credential?: Credential): Promise<ServiceResponse> {
    const response = await this.#sendRepeatedly(request, credential);
    if (credential?.key === undefined || !this.#isClockInQuestion(response)) return response;
    return this.#sendRepeatedly(request, credential);
  }

  async #sendRepeatedly(
    request: ServiceRequest,
    credential: Credential | undefined,
  ): Promise<ServiceResponse> {
    const attempts = request.repeatable ? maxAttempts : 1;
    for (let attempt = 1; ; attempt++) {
      const response = await this.#attempt(request, credential).catch((cause: unknown) => {
        if (attempt < attempts && cause instanceof VaultError) return undefined;
        throw cause;
      });
      if (response !== undefined && (response.status < 500 || attempt >= attempts)) return response;
      await this.#options.wait(firstPauseMs * 3 ** (attempt - 1));
    }
  }

  async #attempt(request: ServiceRequest, credential: Credential | undefined): Promise<ServiceResponse> {
    const { apiUrl, fetch, timeoutMs } = this.#options;
    const { method, path, query = {}, headers = {} } = request;
    const url = new URL(`${apiUrl.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const body = request.body === undefined ? undefined : utf8(JSON.stringify(request.body));
    const proof = await this.#proof(credential, { method, url: url.href, body });
    const sent = Object.assign({}, headers, proof, body && { 'content-type': 'application/json' });

    const abort = new AbortController();
    const timeout = setTimeout(() => abort.abort(), timeoutMs);
    try {
      return await readResponse(await fetch(url.href, requestInit(method, sent, body, abort.signal)));
    } catch (cause) {
      throw new VaultError('unreachable', 'No answer of the service arrived.', { cause });
    } finally {
      clearTimeout(timeout);
    }
  }

  async #proof(
    credential: Credential | undefined,
    request: Parameters<typeof dpopProof>[1],
  ): Promise<Record<string, string>> {
    if (credential?.key !== undefined) {
      return { dpop: await dpopProof(credential.key, request, this.#options.nowMs() + this.#skewMs) };
    }
    return credential?.token === undefined ? {} : { 'x-device-token': credential.token };
  }

  /** Whether another proof may be accepted. Corrects the clock by the response, if it shows the time. */
  #isClockInQuestion(response: ServiceResponse): boolean {
    const shown = proofRefusal(response)?.serverTime ?? response.header('date');
    const skewMs = Date.parse(String(shown)) - this.#options.nowMs();
    const isOff = Math.abs(skewMs - this.#skewMs) > noticeableSkewMs;
    if (proofRefusal(response) === undefined && !(isOff && isDeviceUnverified(response))) return false;
    if (isOff) this.#skewMs = skewMs;
    return true;
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Why the service refuses a proof as such: it is stale, was used, or is for another request. */
export function proofRefusal({
  body,
}: ServiceResponse): { deviceProof: string; serverTime?: string } | undefined {
  const { deviceProof, serverTime } = detailsOf(body);
  if (typeof deviceProof !== 'string') return undefined;
  return typeof serverTime === 'string' ? { deviceProof, serverTime } : { deviceProof };
}

/** Whether the service asks for a verification of the device. */
export function isDeviceUnverified(response: ServiceResponse): boolean {
  if (response.status === 200) return response.body.verified === false;
  return response.status === 403 && detailsOf(response.body).requiresMfa === true;
}

const detailsOf = ({ details }: Record<string, unknown>) =>
  (typeof details === 'object' && details !== null ? details : {}) as Record<string, unknown>;
