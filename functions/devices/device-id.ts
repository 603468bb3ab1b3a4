import { createHash } from 'node:crypto';

/** What a client tells about its hardware; each of it optional. */
export type Signals = {
  readonly [K in
    | 'clientDeviceUUID'
    | 'userAgent'
    | 'language'
    | 'screenResolution'
    | 'timezone'
    | 'platform']?: string | undefined;
};

/** Ids that a client chose itself; no other rule may give one that begins so. */
export const clientIdPrefix = 'client-';

/**
 * The id of a device that nothing else names: SHA-256 over its signals in a fixed order, as standard Base64
 * (44 characters).
 *
 * Hashed is a JSON array of the values, `null` for an absent one: quotes keep the fields apart, so that text moved
 * from one field to the next gives another id, and absent differs from empty. What is sent is hashed as it is, case
 * and spaces included. The order and the form are for good: another one would send every such device into quarantine.
 * The `clientDeviceUUID` has no part in it.
 */
export function localHash(signals: Signals): string {
  const { userAgent, language, screenResolution, timezone, platform } = signals;
  const values = [userAgent, language, screenResolution, timezone, platform].map((value) => value ?? null);
  return createHash('sha256').update(JSON.stringify(values)).digest('base64');
}

/**
 * Names a device: by the id that its client keeps, else by what the look-up says, else by its signals. The look-up is
 * asked only when it is needed. An empty `clientDeviceUUID` counts as absent: otherwise all clients that send one
 * would be one device.
 *
 * @param lookUp resolves undefined when it is unavailable, and does not throw.
 */
export async function deviceIdOf(
  signals: Signals,
  lookUp: (signals: Signals) => Promise<string | undefined>,
): Promise<string> {
  const { clientDeviceUUID } = signals;
  if (clientDeviceUUID) return clientIdPrefix + clientDeviceUUID;
  return (await lookUp(signals)) ?? localHash(signals);
}
