import { fieldsOf } from '../fields.ts';
import type { ServiceResponse } from '../service-exchange.ts';
import { proofRefusal } from './transport.ts';
import { VaultError, type VaultErrorCode } from './vault-error.ts';

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
