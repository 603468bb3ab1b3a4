import { createHash } from 'node:crypto';

/** The signals that a client reports about its device. Every signal is optional. */
export type Signals = {
  readonly [K in
    | 'clientDeviceUUID'
    | 'userAgent'
    | 'language'
    | 'screenResolution'
    | 'timezone'
    | 'platform']?: string | undefined;
};

/** Prefix of ids chosen by the client. No other source may yield an id with this prefix. */
export const clientIdPrefix = 'client-';

/**
 * The fallback id of a device: SHA-256 over its signals in a fixed order, as standard Base64 (44 characters).
 *
 * The hash covers a JSON array of the values, `null` for an absent one. Quotes separate the fields, so that
 * text moved from one field to the next yields another id, and an absent value differs from an empty one.
 * Values are hashed verbatim, including case and spaces. The order and the format must never change: every
 * such device would return to quarantine. The `clientDeviceUUID` is not included.
 */
export function hashSignals(signals: Signals): string {
  const { userAgent, language, screenResolution, timezone, platform } = signals;
  const values = [userAgent, language, screenResolution, timezone, platform].map((value) => value ?? null);
  return createHash('sha256').update(JSON.stringify(values)).digest('base64');
}

/**
 * The id of a device: the one that its client stores, else the result of the lookup, else the hash of its
 * signals. The lookup is called only when needed. An empty `clientDeviceUUID` counts as absent: otherwise all
 * clients that send one would share an id.
 *
 * @param lookUpDevice resolves undefined when the service is unavailable, and does not throw.
 */
export async function identifyDevice(
  signals: Signals,
  lookUpDevice: (signals: Signals) => Promise<string | undefined>,
): Promise<string> {
  const { clientDeviceUUID } = signals;
  if (clientDeviceUUID) return clientIdPrefix + clientDeviceUUID;
  return (await lookUpDevice(signals)) ?? hashSignals(signals);
}
