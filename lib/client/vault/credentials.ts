import { deviceSignals } from '../device-signals.ts';
import { fieldsOf } from '../fields.ts';
import { webCrypto } from '../web-crypto.ts';
import type { DeviceStore } from './device-store.ts';
import { type DeviceKey, newDeviceKey } from './dpop.ts';

/** The credential of the device: a key that signs, or a token. */
export interface Credential {
  /** Random; identifies the credential within the store. */
  id: string;
  key?: DeviceKey;
  token?: string;
}

export type StoredCredentials = Partial<{
  /** The one that the service accepted last. Undefined on a device that another client verified. */
  current: Credential | undefined;
  /** A key that was sent to the service, and of which the answer is not known. The service knows this one or `current`. */
  pending: Credential | undefined;
}>;

/** The UUID and the credentials of this device, in a store that tabs share. */
export class DeviceCredentials {
  readonly #store: DeviceStore;
  readonly #name: string;
  /** The credentials when nothing can be stored: they last as long as this object. */
  #unstored: StoredCredentials | undefined;

  /** @param account names the service and the user: the service knows a device separately for each user. */
  constructor(store: DeviceStore, account: string) {
    this.#store = store;
    this.#name = `credentials ${account}`;
  }

  /** The UUID of the device, created once for all tabs. A UUID that {@link deviceSignals} stored before is kept. */
  async uuid(): Promise<string> {
    const known = await this.#store.get('device');
    const uuid =
      known ?? (await this.#store.update('device', (stored) => stored ?? deviceSignals().clientDeviceUUID));
    return String(uuid);
  }

  async read(): Promise<StoredCredentials> {
    return this.#unstored ?? asCredentials(await this.#store.get(this.#name));
  }

  /**
   * The pending key; a new one when there is none. It is stored before it is used: the answer to its registration can be
   * lost. A second registration uses the same key, so that at most two are in question.
   *
   * @returns undefined where keys cannot be stored
   */
  async pendingKey(): Promise<(Credential & { key: DeviceKey }) | undefined> {
    if (!this.#store.keepsKeys) return undefined;
    const created: Credential = { id: newUuid(), key: await newDeviceKey() };
    try {
      const stored = await this.#store.update(this.#name, (known) => {
        const { current, pending = created } = asCredentials(known);
        return { current, pending };
      });
      const { id, key } = asCredentials(stored).pending ?? created;
      return key && { id, key };
    } catch {
      // Some private windows store text and no keys.
      return undefined;
    }
  }

  /** Makes the pending credential the current one. Without effect when another tab did so. */
  async accept(id: string): Promise<void> {
    try {
      await this.#store.update(this.#name, (known) => {
        const { pending } = asCredentials(known);
        return pending?.id === id ? { current: pending } : known;
      });
    } catch {
      // It stays pending, and is tried after the former one.
    }
  }

  /** Makes a token the only credential. */
  async replaceByToken(token: string): Promise<void> {
    const replaced = { current: { id: newUuid(), token } };
    try {
      await this.#store.update(this.#name, () => replaced);
    } catch {
      this.#unstored = replaced;
    }
  }

  async remove(): Promise<void> {
    this.#unstored = undefined;
    await this.#store.update(this.#name, () => undefined);
  }
}

/** Another version of the package may have stored a value of another shape. */
const asCredentials = (stored: unknown): StoredCredentials => fieldsOf(stored);

const newUuid = () => webCrypto().randomUUID();
