import type { components } from './api/schema.ts';
import type { DeviceStorage } from './device-storage.ts';
import { webCrypto } from './web-crypto.ts';

/** The field `signals` of POST /api/auth/device-check: properties of this device. `client-` and the UUID are its id. */
export type DeviceSignals = components['schemas']['CheckDeviceRequest']['signals'] & {
  clientDeviceUUID: string;
};

/** Only the types of browsers have it. */
declare const screen: { width: number; height: number };

const storageName = 'vouchsafe-device-uuid';
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Without storage, the device has one UUID while this module is loaded: for a page view or a process. */
let sessionUuid: string | undefined;

/**
 * Collects the properties of this device. Unknown properties are left out, and values too long for the server are
 * truncated.
 *
 * @param options.storage stores the device's UUID under `vouchsafe-device-uuid`; `localStorage` by default, where available.
 *   If storage is blocked or full, the UUID lasts for the session.
 * @throws Error on a page that is not a secure context.
 */
export function deviceSignals(options: { storage?: DeviceStorage | undefined } = {}): DeviceSignals {
  // Node.js has one since its version 21.
  const { navigator } = globalThis;
  const known = {
    userAgent: truncate(navigator?.userAgent, 1024),
    language: truncate(navigator?.language),
    screenResolution:
      typeof screen === 'object' && screen.width > 0 ? `${screen.width}x${screen.height}` : undefined,
    timezone: truncate(Intl.DateTimeFormat().resolvedOptions().timeZone),
    platform: truncate(navigator?.platform),
  };
  return {
    clientDeviceUUID: storedUuid(options.storage) ?? sessionId(),
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value)),
  };
}

/** The UUID in storage, created if needed; undefined where nothing can be stored. */
function storedUuid(given: DeviceStorage | undefined): string | undefined {
  try {
    // Browsers that block storage throw on access to localStorage itself.
    const storage = given ?? globalThis.localStorage;
    const read = () => {
      const text = storage?.getItem(storageName);
      return text && uuid.test(text) ? text : undefined;
    };
    const stored = read();
    if (stored !== undefined) return stored;
    storage?.setItem(storageName, webCrypto().randomUUID());
    // Read back: storage that drops writes would identify another device at each call.
    return read();
  } catch {
    return undefined;
  }
}

function sessionId(): string {
  sessionUuid ??= webCrypto().randomUUID();
  return sessionUuid;
}

/** The first `max` UTF-16 code units, without half a surrogate pair. */
function truncate(text: string | undefined, max = 128): string | undefined {
  return text?.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}
