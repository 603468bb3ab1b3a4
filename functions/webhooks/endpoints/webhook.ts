/** A webhook endpoint of an application: where events are delivered, and which. */
export interface Webhook {
  webhookId: string;
  applicationId: string;
  url: string;
  /** Types of events, and patterns: `subscription.renewed`, `subscription.*`, `*`. */
  types: readonly string[];
  description?: string;
  /** Events are delivered while it is active. */
  isActive: boolean;
  /** Why it is not active, when the service disabled it: it answered 410, or failed for five days. */
  disabled?: { reason: 'gone' | 'failing'; atMs: number };
  /** Since when every attempt has failed. Absent after a success. */
  failingSinceMs?: number;
  createdAtMs: number;
  updatedAtMs: number;
  revision: number;
}

/** A secret with which deliveries are signed. */
export interface SigningSecret {
  /** `whsec_` and 32 random bytes in Base64, as Standard Webhooks defines it. */
  secret: string;
  createdAtMs: number;
  /** When a replaced secret stops signing, 24 hours after the rotation. Absent for the present one. */
  expiresAtMs?: number;
}

/** Whether a webhook takes events of a type. */
export function takesType(types: readonly string[], type: string): boolean {
  return types.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}
