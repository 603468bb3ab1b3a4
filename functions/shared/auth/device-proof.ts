/**
 * The proof that a request comes from a trusted device itself, and not from someone who knows its id: a token, or a key
 * that signs each request.
 *
 * The device gets its token, or registers its key, when it is verified. A device that has presented its proof once must
 * present it always.
 */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { DeviceCredential, PresentedDeviceProof } from '../contract/device-proof.ts';
import { ApiError } from '../contract/errors.ts';
import { isWellFormedSecret, secretHash } from '../contract/secret.ts';
import { type RequestContext, singleHeader } from '../lambda/request-context.ts';
import { isoTime } from '../runtime/clock.ts';
import { isEqualInConstantTime } from '../runtime/constant-time.ts';
import * as env from '../runtime/env.ts';

/** The part of a request that its proof is read from, and signs. */
export interface ProvenRequest extends Pick<RequestContext, 'baseUrl' | 'startedAtMs'> {
  readonly event: Pick<
    APIGatewayProxyEvent,
    'httpMethod' | 'path' | 'headers' | 'multiValueHeaders' | 'body' | 'isBase64Encoded'
  >;
}

/** Reads the proof of a request, and verifies its signature. Reads no table. */
export async function presentedDeviceProof(request: ProvenRequest): Promise<PresentedDeviceProof> {
  const { event, baseUrl, startedAtMs } = request;
  const token = singleHeader(event, 'x-device-token');
  const dpop = singleHeader(event, 'dpop');
  if (dpop === undefined) return token === undefined ? { kind: 'none' } : presentedToken(token);
  if (token !== undefined) {
    return { kind: 'invalid', problem: 'is sent together with x-device-token; send one of them' };
  }
  const { verifyDpop } = await import('./dpop.ts');
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const signed = { method: event.httpMethod, url: `${baseUrl}${event.path}`, body };
  const result = await verifyDpop(dpop, signed, startedAtMs);
  if ('problem' in result) return { kind: 'invalid', problem: result.problem };
  return { kind: 'key', keyThumbprint: result.thumbprint, jti: result.jti };
}

function presentedToken(token: string): PresentedDeviceProof {
  return isWellFormedSecret('device_token', token)
    ? { kind: 'token', tokenHash: secretHash(token) }
    : { kind: 'invalid', problem: undefined };
}

export function isProofOf(
  { tokenHash, keyThumbprint }: DeviceCredential,
  presented: PresentedDeviceProof,
): boolean {
  if (presented.kind === 'token')
    return tokenHash !== undefined && isEqualInConstantTime(tokenHash, presented.tokenHash);
  if (presented.kind === 'key')
    return keyThumbprint !== undefined && isEqualInConstantTime(keyThumbprint, presented.keyThumbprint);
  return false;
}

/** Whether a device must present its proof: it has done so before, or the deployment requires it of all. */
export function mustProve({ deviceProofPresented = false }: DeviceCredential): boolean {
  return deviceProofPresented || env.deviceProof() === 'required';
}

/**
 * Refuses a proof with which something is wrong that the client can mend, whichever device it is for.
 *
 * @throws ApiError `device_not_verified`, whose details name what is wrong.
 */
export function refuseUnusableProof(deviceId: string, presented: PresentedDeviceProof, nowMs: number): void {
  if (presented.kind === 'invalid' && presented.problem !== undefined) {
    throw unusableProof(deviceId, presented.problem, nowMs);
  }
}

/**
 * Checks the proof that a request presents for a trusted device.
 *
 * @param isUnused the result of `isFirstUse`.
 * @throws ApiError `device_not_verified`. Its details ask the client to verify the device, or name what is wrong with
 * a proof that the client can make again.
 */
export function checkDeviceProof(
  deviceId: string,
  device: DeviceCredential,
  presented: PresentedDeviceProof,
  { isUnused, nowMs }: { isUnused: boolean; nowMs: number },
): void {
  if (presented.kind === 'none') {
    if (mustProve(device)) throw deviceNotVerified(deviceId);
    return;
  }
  if (!isProofOf(device, presented)) throw deviceNotVerified(deviceId);
  if (!isUnused) throw unusableProof(deviceId, 'was used before (jti)', nowMs);
}

export function deviceNotVerified(deviceId: string): ApiError {
  return new ApiError('device_not_verified', { details: { deviceId, requiresMfa: true } });
}

/** The error for a proof that the client can make again. The time lets it correct its clock. */
function unusableProof(deviceId: string, deviceProof: string, nowMs: number): ApiError {
  const details = { deviceId, requiresMfa: false, deviceProof, serverTime: isoTime(nowMs) };
  return new ApiError('device_not_verified', { details });
}
