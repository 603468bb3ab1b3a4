import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { getApplication } from '../../shared/accounts/applications.ts';
import { limitAttempts } from '../../shared/runtime/attempt-limit.ts';
import { minuteMs, secondMs } from '../../shared/runtime/clock.ts';
import * as env from '../../shared/runtime/env.ts';
import { isId } from '../../shared/runtime/ids.ts';

/** The client of the process. A call that fails takes at most 9.2 seconds, like one to the table. */
export const secretsManager = limitAttempts(
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
  }),
  3 * secondMs,
);

const StripeKeys = z.object({
  /** `sk_...`, or `rk_...` with write access to Checkout Sessions. */
  secretKey: z.string().check(z.minLength(1)),
  /** `whsec_...`, of the webhook endpoint. */
  webhookSecret: z.string().check(z.minLength(1)),
  /** The URL of a test double of Stripe's API. */
  apiUrl: z.optional(z.url()),
});

export type StripeKeys = z.output<typeof StripeKeys>;

/** Replaced keys stay in use for up to `found`. The first keys of an application take effect after `missing`. */
const cacheTtlMs = { found: 5 * minuteMs, missing: 30 * secondMs };
const cachedApplications = 500;
/** By application; the oldest entries are evicted. */
const cache = new Map<string, { keys: Promise<StripeKeys | undefined>; untilMs: number }>();

/**
 * The Stripe keys of an application; undefined when it has none.
 * @throws Error when Secrets Manager does not respond, or the secret is malformed.
 */
export async function stripeKeys(applicationId: string, nowMs: number): Promise<StripeKeys | undefined> {
  // The webhook is public: a malformed id must not cost a call.
  if (!isId('app', applicationId)) return undefined;
  const cached = cache.get(applicationId);
  if (cached !== undefined && nowMs < cached.untilMs) return cached.keys;
  const entry = { keys: readKeys(applicationId), untilMs: nowMs + cacheTtlMs.missing };
  cache.delete(applicationId);
  const oldest = cache.size >= cachedApplications ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(applicationId, entry);
  try {
    const keys = await entry.keys;
    if (keys !== undefined) entry.untilMs = nowMs + cacheTtlMs.found;
    return keys;
  } catch (error) {
    if (cache.get(applicationId) === entry) cache.delete(applicationId);
    throw error;
  }
}

async function readKeys(applicationId: string): Promise<StripeKeys | undefined> {
  // Anyone can invent well-formed ids, and a call to Secrets Manager costs thirty times a read of the table.
  if ((await getApplication(applicationId)) === undefined) return undefined;
  const SecretId = `${env.stripeSecretPrefix()}${applicationId}`;
  const secret = await secretsManager
    .send(new GetSecretValueCommand({ SecretId }))
    .catch((error: unknown) => {
      // InvalidRequestException: the secret is scheduled for deletion.
      const name = error instanceof Error ? error.name : '';
      if (name === 'ResourceNotFoundException' || name === 'InvalidRequestException') return undefined;
      throw error;
    });
  if (secret === undefined) return undefined;
  const parsed = StripeKeys.safeParse(parseJson(secret.SecretString ?? ''));
  if (!parsed.success) throw new Error('The secret with the Stripe keys of an application is malformed');
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error message would quote the secret.
    return undefined;
  }
}
