import { fieldsOf } from '../fields.ts';
import {
  encoded,
  readResponse,
  requestInit,
  type ServiceRequest,
  type ServiceResponse,
} from '../service-exchange.ts';
import type { Credential } from './credentials.ts';
import { dpopProof } from './dpop.ts';
import { VaultError, type VaultErrorCode } from './vault-error.ts';
import type { VaultSurroundings } from './vault-records.ts';

export interface VaultRequest extends ServiceRequest {
  /** Whether the request may be sent again when its response is lost. */
  repeatable: boolean;
}

type TransportOptions = VaultSurroundings & { apiUrl: string };

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
  async send(request: VaultRequest, credential?: Credential): Promise<ServiceResponse> {
    const response = await this.#sendRepeatedly(request, credential);
    if (credential?.key === undefined || !this.#isClockInQuestion(response)) return response;
    return this.#sendRepeatedly(request, credential);
  }

  async #sendRepeatedly(request: VaultRequest, credential: Credential | undefined): Promise<ServiceResponse> {
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

  async #attempt(request: VaultRequest, credential: Credential | undefined): Promise<ServiceResponse> {
    const { apiUrl, fetch, timeoutMs } = this.#options;
    const { method } = request;
    const { url, headers, body } = encoded(apiUrl, request);
    const sent = Object.assign(headers, await this.#proof(credential, { method, url, body }));

    const abort = new AbortController();
    const timeout = setTimeout(() => abort.abort(), timeoutMs);
    try {
      return await readResponse(await fetch(url, requestInit(method, sent, body, abort.signal)));
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
    if (credential?.key !== undefined)
      return { dpop: await dpopProof(credential.key, request, this.#options.nowMs() + this.#skewMs) };
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

/** Why the service refuses a proof as such: it is stale, was used, or is for another request. */
function proofRefusal({ body }: ServiceResponse): Readonly<Record<string, unknown>> | undefined {
  const details = fieldsOf(body.details);
  return typeof details.deviceProof === 'string' ? details : undefined;
}

/** Whether the service asks for a verification of the device. */
export function isDeviceUnverified({ status, body }: ServiceResponse): boolean {
  if (status === 200) return body.verified === false;
  return status === 403 && fieldsOf(body.details).requiresMfa === true;
}

/** The error that a response means. Its message is the service's. */
export function errorOf(response: ServiceResponse): VaultError {
  const { status, body } = response;
  const message = String(body.error ?? 'The service answered with an error.');
  const details = fieldsOf(body.details);
  const retryAfter = Number(response.header('retry-after') ?? Number.NaN);
  return new VaultError(codeOf(response, message), message, {
    status,
    details: body.details,
    deviceId: typeof details.deviceId === 'string' ? details.deviceId : undefined,
    version: typeof details.version === 'number' ? details.version : undefined,
    retryAfterSeconds: Number.isInteger(retryAfter) ? retryAfter : undefined,
    auditId: response.header('x-audit-id'),
  });
}

const codes: Partial<Record<number, VaultErrorCode>> = {
  401: 'proof_invalid',
  403: 'device_not_verified',
  404: 'vault_not_found',
  409: 'vault_conflict',
  429: 'rate_limited',
};

/** By the texts of the service where a status has two meanings. */
function codeOf(response: ServiceResponse, message: string): VaultErrorCode {
  if (proofRefusal(response) !== undefined) return 'device_proof_refused';
  if (message === 'Invalid or expired code') return 'code_invalid';
  if (message.startsWith('Too many failed attempts')) return 'proof_locked';
  return codes[response.status] ?? (response.status >= 500 ? 'server_error' : 'invalid_request');
}
