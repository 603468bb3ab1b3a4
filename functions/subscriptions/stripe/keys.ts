import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { getApplication } from '../../shared/accounts/applications.ts';
import { minuteMs, secondMs } from '../../shared/runtime/duration.ts';
import { env } from '../../shared/runtime/env.ts';
import { isId } from '../../shared/runtime/ids.ts';

/** One for the life of the process. */
export const client = new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

const StripeKeys = z.object({
  /** `sk_...`, or `rk_...` with write access to Checkout Sessions. */
  secretKey: z.string().check(z.minLength(1)),
  /** `whsec_...`, of the webhook endpoint. */
  webhookSecret: z.string().check(z.minLength(1)),
  /** Where Stripe's API is instead of at Stripe. */
  apiUrl: z.optional(z.url()),
});

/** What an application has at Stripe. */
export type StripeKeys = z.output<typeof StripeKeys>;

/** So long a replaced key goes on being used, and an application that had none waits after it got some. */
const cacheTtlMs = { found: 5 * minuteMs, missing: 30 * secondMs };
const cachedApplications = 500;
/** By application; the oldest give way. */
const cache = new Map<string, { keys: Promise<StripeKeys | undefined>; untilMs: number }>();

/**
 * The Stripe keys of an application; undefined when it has none.
 * @throws Error when Secrets Manager does not answer, or the secret is not as it should be.
 */
export async function stripeKeys(applicationId: string, nowMs: number): Promise<StripeKeys | undefined> {
  // As ids are: anybody can name another one to the webhook, and each would be a call.
  if (!isId('app', applicationId)) return undefined;
  const known = cache.get(applicationId);
  if (known !== undefined && nowMs < known.untilMs) return known.keys;
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
  // Anybody can make ids up, and Secrets Manager costs thirty times what a look into the table does.
  if ((await getApplication(applicationId)) === undefined) return undefined;
  const SecretId = `${env.stripeSecretPrefix()}${applicationId}`;
  const answer = await client.send(new GetSecretValueCommand({ SecretId })).catch((error: unknown) => {
    // InvalidRequestException: it is marked for deletion.
    const { name } = error as { name?: string };
    if (name === 'ResourceNotFoundException' || name === 'InvalidRequestException') return undefined;
    throw error;
  });
  if (answer === undefined) return undefined;
  const parsed = StripeKeys.safeParse(parseJson(answer.SecretString ?? ''));
  if (!parsed.success)
    throw new Error('The secret with the Stripe keys of an application is not as it should be');
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    return undefined;
  }
}
