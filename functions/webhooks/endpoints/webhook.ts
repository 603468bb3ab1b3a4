import type { ApplicationCaller } from '../../shared/contract/callers.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { ApplicationKeyKind } from '../../shared/contract/secret.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { isId } from '../../shared/runtime/ids.ts';

export const maxWebhooks = 10;

/** How long a replaced secret signs on. */
export const overlapMs = dayMs;

/** A webhook endpoint of an application: where events are delivered, and which. */
export interface Webhook {
  webhookId: string;
  applicationId: string;
  /** The kind of key that the webhook is for: only this kind manages it, and it takes the events of its services. */
  keyKind: ApplicationKeyKind;
  url: string;
  /** Types of events, and patterns: `subscription.renewed`, `subscription.*`, `*`. */
  types: readonly string[];
  description: string;
  isActive: boolean;
  /** Why it is not active, when the service disabled it: it answered 410, or failed for five days. */
  disabled?: { reason: 'gone' | 'failing'; atMs: number };
  /** When the signing secret was replaced last. Absent while it is the first one. */
  secretSinceMs?: number;
  /** Since when every attempt has failed. Absent after a success. */
  failingSinceMs?: number;
  /** The `failingSinceMs` that ended last, with a success or a change. A failure of that time is no longer noted. */
  failuresEndedMs?: number;
  /** Events about this webhook so far: the `sequence` of the last one. */
  eventCount: number;
  createdAtMs: number;
  updatedAtMs: number;
  /** Incremented by every change; a change is conditioned on the revision that it read. */
  revision: number;
}

export interface SigningSecret {
  /** Random. Names the secret where the secret itself must not be. */
  secretId: string;
  /** `whsec_` and 32 random bytes in Base64, as Standard Webhooks defines it. */
  secret: string;
  createdAtMs: number;
  /** When a replaced secret stops signing, 24 hours after the rotation. Absent for the present one. */
  expiresAtMs?: number;
}

export const isWebhookId = (text: string): boolean => isId('whk', text);

/** @throws ApiError `conflict` while a webhook is not active: nothing is sent to it. */
export function requireActive({ isActive }: Webhook): void {
  if (!isActive)
    throw new ApiError('conflict', { details: { active: 'must be true: enable the webhook first' } });
}

/** Whether a caller manages a webhook. An operator manages those of both kinds of keys. */
export function manages({ by }: ApplicationCaller, { keyKind }: Pick<Webhook, 'keyKind'>): boolean {
  return by === 'operator' || by === keyKind;
}

/** The scope of idempotency keys. A client secret repeats nothing that an API key or an operator has sent. */
export function idempotencyScope({ applicationId, by }: ApplicationCaller): string {
  return by === 'client_secret' ? `${applicationId} ${by}` : applicationId;
}

/** The secrets that sign now: the present one first, then a replaced one whose 24 hours have not passed. */
export function activeSecrets(secrets: readonly SigningSecret[], nowMs: number): SigningSecret[] {
  return secrets.filter(({ expiresAtMs = Number.POSITIVE_INFINITY }) => nowMs < expiresAtMs);
}

/**
 * The secrets after a rotation. The present one signs for 24 hours more. One that was replaced before ends at once, so that
 * at most two sign.
 */
export function rotated(secrets: readonly SigningSecret[], added: SigningSecret): SigningSecret[] {
  const present = secrets.find(({ expiresAtMs }) => expiresAtMs === undefined);
  const former = present && { ...present, expiresAtMs: added.createdAtMs + overlapMs };
  return former === undefined ? [added] : [added, former];
}
