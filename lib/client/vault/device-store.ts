import type { DeviceStorage } from '../device-storage.ts';
import { exclusively } from './exclusively.ts';

/**
 * Where the client keeps the UUID of the device and what proves the device to the service. All tabs of an application share
 * one store.
 */
export interface DeviceStore {
  /**
   * Whether values may contain `CryptoKey` objects that cannot be exported. If not, every value is JSON, and the device
   * is proven with a token.
   */
  readonly keepsKeys: boolean;
  /** The value under a name; undefined when there is none. */
  get(name: string): Promise<unknown>;
  /**
   * Replaces a value by what `change` makes of it, atomically for all tabs and processes that share the store; removes it
   * when `change` returns undefined. `change` is synchronous and may be called more than once.
   *
   * @returns the new value, once it is stored durably.
   */
  update(name: string, change: (stored: unknown) => unknown): Promise<unknown>;
}

/**
 * Keeps values as JSON in a `Storage`, such as `localStorage`, under names that begin with `vouchsafe-`. The device is proven
 * with a token, which every script of the page can read.
 *
 * Tabs take turns by the Web Locks API. Where that is missing, two tabs may overwrite each other's values.
 */
export function webStorageStore(storage: DeviceStorage): DeviceStore {
  const read = (name: string): unknown => {
    try {
      return JSON.parse(storage.getItem(`vouchsafe-${name}`) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  };
  return {
    keepsKeys: false,
    get: async (name) => read(name),
    update: (name, change) =>
      exclusively(`vouchsafe-${name}`, async () => {
        const value = change(read(name));
        storage.setItem(`vouchsafe-${name}`, JSON.stringify(value ?? null));
        return value;
      }),
  };
}

/** Keeps values until the page or the process ends. */
export function memoryStore(): DeviceStore {
  const values = new Map<string, unknown>();
  return {
    keepsKeys: false,
    get: async (name) => values.get(name),
    async update(name, change) {
      const value = change(values.get(name));
      values.set(name, value);
      return value;
    },
  };
}
