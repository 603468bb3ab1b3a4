import { webCrypto } from './web-crypto.ts';

/** `signals` of POST /api/auth/device-check: what is known of this device. */
export interface DeviceSignals {
  /** Names the device from visit to visit; the server's device id is `client-` followed by it. */
  clientDeviceUUID: string;
  userAgent?: string;
  /** A BCP 47 tag: `de-AT`. */
  language?: string;
  /** Width x height in CSS pixels: `1920x1080`. */
  screenResolution?: string;
  /** An IANA identifier: `Europe/Vienna`. */
  timezone?: string;
  platform?: string;
}

/** The part of `Storage` that is used; `localStorage` and `sessionStorage` have it. */
export interface DeviceStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** What a browser has and Node has in part. */
interface ExecutionEnvironment {
  localStorage?: DeviceStorage;
  navigator?: { userAgent?: string; language?: string; platform?: string };
  screen?: { width: number; height: number };
}

const storageName = 'vouchsafe-device-uuid';
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Without storage the device has one UUID for as long as this module is loaded: a page view, a process. */
let sessionUuid: string | undefined;

/**
 * Collects what is known of this device. What is not known is left out; what is too long for the server is cut.
 *
 * @param options.storage keeps the device's UUID, under `vouchsafe-device-uuid`; `localStorage` by default, where
 *   there is one. Storage that is blocked or full does no harm: the UUID then lasts for the session.
 * @throws Error on a page that is no secure context.
 */
export function deviceSignals(options: { storage?: DeviceStorage | undefined } = {}): DeviceSignals {
  const { navigator, screen }: ExecutionEnvironment = globalThis;
  const known = {
    userAgent: cut(navigator?.userAgent, 1024),
    language: cut(navigator?.language),
    screenResolution: screen && screen.width > 0 ? `${screen.width}x${screen.height}` : undefined,
    timezone: cut(Intl.DateTimeFormat().resolvedOptions().timeZone),
    platform: cut(navigator?.platform),
  };
  return {
    clientDeviceUUID: storedUuid(options.storage) ?? sessionId(),
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value)),
  };
}

/** Undefined where nothing can be kept. */
function storedUuid(given: DeviceStorage | undefined): string | undefined {
  try {
    // Browsers that block storage throw at the mention of localStorage, not only at its use.
    const storage = given ?? (globalThis as ExecutionEnvironment).localStorage;
    const kept = () => {
      const text = storage?.getItem(storageName);
      return text && uuid.test(text) ? text : undefined;
    };
    const before = kept();
    if (before !== undefined) return before;
    storage?.setItem(storageName, webCrypto().randomUUID());
    // Read back: storage that drops what it is given would name another device at each call.
    return kept();
  } catch {
    return undefined;
  }
}

function sessionId(): string {
  sessionUuid ??= webCrypto().randomUUID();
  return sessionUuid;
}

/** At most so many UTF-16 units; a pair of surrogates is not cut in two. */
function cut(text: string | undefined, max = 128): string | undefined {
  return text?.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}
