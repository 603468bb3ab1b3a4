import { deviceSignals } from '../device-signals.ts';
import type { ServiceResponse } from '../service-exchange.ts';
import { type Credential, DeviceCredentials } from './credentials.ts';
import type { DeviceStore } from './device-store.ts';
import { publicJwk } from './dpop.ts';
import { exclusively } from './exclusively.ts';
import { defaultDeviceStore } from './indexed-db-store.ts';
import { errorOf, isDeviceUnverified, Transport, type VaultRequest } from './transport.ts';
import type { VaultError } from './vault-error.ts';
import type {
  DeviceState,
  ListedDevice,
  StoredVault,
  VaultAuthentication,
  VaultSurroundings,
  VaultWrite,
} from './vault-records.ts';

export interface VaultClientOptions extends Partial<VaultSurroundings> {
  /** The address of the API without the path: `https://api.example.com`. A stage (`/prod`) is part of it. */
  apiUrl: string;
  userId: string;
  /** Where the device keeps its UUID and its key or token; {@link defaultDeviceStore} by default. */
  store?: DeviceStore;
}

/** The proof that a user without a device reads their mailbox. */
export interface EnrolmentOptions {
  /** The token of the mail with the enrolment link, which an operator sends. */
  enrolmentToken?: string;
}

const enrolmentHeaders = ({ enrolmentToken }: EnrolmentOptions): Record<string, string> =>
  enrolmentToken === undefined ? {} : { 'x-enrolment-token': enrolmentToken };

/**
 * The devices and the vault of one user. It proves the device with every request, by DPoP (RFC 9449) with a key that cannot
 * leave the browser, or by a token where no key can be kept.
 *
 * Every method throws {@link VaultError}, and passes on errors of the store. Requests that are safe to repeat are sent up to
 * three times when no response arrives.
 */
export class VaultClient {
  readonly #userId: string;
  readonly #transport: Transport;
  readonly #credentials: DeviceCredentials;
  readonly #lockName: string;

  constructor({ apiUrl, userId, store, fetch, nowMs, wait, timeoutMs }: VaultClientOptions) {
    this.#userId = userId;
    this.#transport = new Transport({
      apiUrl: apiUrl.replace(/\/+$/, ''),
      // Called as a function of the page: browsers refuse it as a method of another object.
      fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
      nowMs: nowMs ?? (() => Date.now()),
      wait: wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
      timeoutMs: timeoutMs ?? 120_000,
    });
    const account = `${new URL(apiUrl).href.replace(/\/+$/, '')} ${userId}`;
    this.#credentials = new DeviceCredentials(store ?? defaultDeviceStore(), account);
    this.#lockName = `vouchsafe-verify ${account}`;
  }

  /** The id of this device: `client-` and its UUID. It identifies the device and is not secret. */
  async deviceId(): Promise<string> {
    return `client-${await this.#credentials.uuid()}`;
  }

  /** Asks whether this device is trusted. If not, the service quarantines it until it is verified, for seven days. */
  async checkDevice(): Promise<DeviceState> {
    const { verified, deviceId } = okBody(await this.#sendAsDevice(await this.#checkRequest()));
    return { verified: verified === true, deviceId: String(deviceId) };
  }

  /**
   * Mails a code of six digits, which is valid for five minutes. Checks the device before, because only a quarantined device
   * can be verified. The mail is never repeated by itself.
   *
   * A device that was verified before, and a user with an enrolment token, get codes whatever strangers do.
   */
  async sendCode(email: string, options: EnrolmentOptions = {}): Promise<void> {
    await this.checkDevice();
    const { current } = await this.#credentials.read();
    const request = {
      method: 'POST',
      path: '/api/auth/mfa/send',
      headers: enrolmentHeaders(options),
      body: { email },
      repeatable: false,
    } as const;
    okBody(await this.#transport.send(request, current));
  }

  /**
   * Verifies this device with the mailed code, and registers what will prove it: a new key, or a token.
   *
   * The former key is kept until the service has accepted the new one. When the response is lost, the client asks whether
   * the service knows the new key; if that fails too, every later request tries both keys. Call it again with the same
   * code after `unreachable`.
   *
   * @param options those with which the code was asked for.
   * @throws {VaultError} `code_invalid`, `rate_limited`, `unreachable`
   */
  async verifyDevice(email: string, code: string, options: EnrolmentOptions = {}): Promise<void> {
    const before = (await this.#credentials.read()).current?.id;
    await exclusively(this.#lockName, async () => {
      const { current } = await this.#credentials.read();
      // Another tab has verified the device while this one waited for its turn.
      if (current !== undefined && current.id !== before) return;
      await this.#verify(email, code, enrolmentHeaders(options));
    });
  }

  /** The devices of the user, most recent activity first. */
  async listDevices(authentication: VaultAuthentication = {}): Promise<ListedDevice[]> {
    const { devices } = okBody(
      await this.#sendAsDevice({
        method: 'GET',
        path: '/api/devices',
        query: { userId: this.#userId },
        headers: await this.#headers(authentication),
        repeatable: true,
      }),
    );
    return Array.isArray(devices) ? devices : [];
  }

  /**
   * Removes a device: its next vault call is refused. Removing an unknown device has no effect. When it is this one, its key
   * or token is removed here too.
   *
   * @param deviceHash `device_fingerprint_hash` of the list.
   */
  async removeDevice(deviceHash: string, authentication: VaultAuthentication = {}): Promise<void> {
    okBody(
      await this.#sendAsDevice({
        method: 'DELETE',
        path: '/api/devices',
        query: { userId: this.#userId, deviceHash },
        headers: await this.#headers(authentication),
        repeatable: true,
      }),
    );
    if (deviceHash === (await this.deviceId())) await this.#credentials.remove();
  }

  /**
   * Reads the vault.
   *
   * @throws {VaultError} `vault_not_found` when nothing has been stored, `device_not_verified`, `proof_invalid`, ...
   */
  async readVault(authentication: VaultAuthentication): Promise<StoredVault> {
    const { data_blob, iv, version, updated_at } = okBody(
      await this.#sendAsDevice({
        method: 'GET',
        path: '/api/vault',
        query: { userId: this.#userId },
        headers: await this.#headers(authentication),
        repeatable: true,
      }),
    );
    return {
      data_blob: String(data_blob),
      iv: String(iv),
      version: Number(version),
      updated_at: String(updated_at),
    };
  }

  /**
   * Replaces the vault. The first write creates it and registers the proof of the master password.
   *
   * Repeating an identical write returns the result of the first one. After `unreachable`, therefore, repeat it with the
   * same ciphertext: encrypting again gives another one.
   *
   * @param options.newAuthHash the proof of a new master password, which replaces the other one together with the vault.
   * @throws {VaultError} `vault_conflict` when another version than `vault.version` is stored: read, merge, write again
   */
  async writeVault(
    vault: VaultWrite,
    authentication: VaultAuthentication,
    { newAuthHash }: { newAuthHash?: string } = {},
  ): Promise<{ version: number; updated_at: string }> {
    const { data_blob, iv, version } = vault;
    const { version: stored, updated_at } = okBody(
      await this.#sendAsDevice({
        method: 'POST',
        path: '/api/vault',
        headers: await this.#headers(authentication),
        // JSON leaves out what is undefined.
        body: { userId: this.#userId, data_blob, iv, version, new_auth_hash: newAuthHash },
        repeatable: true,
      }),
    );
    return { version: Number(stored), updated_at: String(updated_at) };
  }

  async #verify(userEmail: string, code: string, headers: Record<string, string>): Promise<void> {
    const deviceId = await this.deviceId();
    const { current } = await this.#credentials.read();
    const pending = await this.#credentials.pendingKey();
    const request: VaultRequest = {
      method: 'POST',
      path: '/api/auth/mfa/verify',
      headers,
      body: {
        userId: this.#userId,
        userEmail,
        deviceId,
        code,
        devicePublicKey: pending && (await publicJwk(pending.key)),
        // From the first call on: until then, the id and the master password would suffice.
        deviceTokenRequired: pending === undefined,
      },
      repeatable: false,
    };
    const response = await this.#transport.send(request, current).catch((error: VaultError) => error);
    if ('body' in response && response.status === 200) {
      if (pending !== undefined) return this.#credentials.accept(pending.id);
      const { deviceToken } = response.body;
      if (typeof deviceToken === 'string') await this.#credentials.replaceByToken(deviceToken);
      return;
    }
    // This request, one before it, or another tab may have registered the key. The code is used up then.
    if (pending !== undefined && (await this.#isVerifiedBy(pending))) {
      return this.#credentials.accept(pending.id);
    }
    throw 'body' in response ? errorOf(response) : response;
  }

  async #isVerifiedBy(credential: Credential): Promise<boolean> {
    const response = await this.#transport
      .send(await this.#checkRequest(), credential)
      .catch(() => undefined);
    return response?.status === 200 && !isDeviceUnverified(response);
  }

  async #checkRequest(): Promise<VaultRequest> {
    const uuid = await this.#credentials.uuid();
    const signals = deviceSignals({ storage: { getItem: () => uuid, setItem: () => {} } });
    const body = { userId: this.#userId, signals };
    return { method: 'POST', path: '/api/auth/device-check', body, repeatable: true };
  }

  async #headers({ authHash, accessToken }: VaultAuthentication): Promise<Record<string, string>> {
    const headers: Record<string, string> = { 'x-device-id': await this.deviceId() };
    if (authHash !== undefined) headers['x-auth-hash'] = authHash;
    if (accessToken !== undefined) headers.authorization = `Bearer ${accessToken}`;
    return headers;
  }

  /**
   * Sends a request with the proof of this device. While the service does not recognize the device, the credentials that
   * were not tried yet are tried: the pending one, and one that another tab has registered meanwhile.
   */
  async #sendAsDevice(request: VaultRequest): Promise<ServiceResponse> {
    const tried = new Set<string>();
    for (let refused: ServiceResponse | undefined; ; ) {
      const { current, pending } = await this.#credentials.read();
      const candidates = [current ?? unproven, pending].filter((one) => one !== undefined);
      const credential = candidates.find(({ id }) => !tried.has(id));
      if (credential === undefined && refused !== undefined) return refused;
      const response = await this.#transport.send(request, credential);
      if (!isDeviceUnverified(response)) {
        // A limit or a failure says nothing about the device.
        const isKnown = [200, 404, 409].includes(response.status);
        if (isKnown && credential?.id === pending?.id && pending) await this.#credentials.accept(pending.id);
        return response;
      }
      tried.add(credential?.id ?? unproven.id);
      refused ??= response;
    }
  }
}

/** A device that a client of the contract alone verified has no credential, and is trusted. */
const unproven: Credential = { id: '' };

/** @throws {VaultError} for a response other than 200 */
function okBody(response: ServiceResponse): Record<string, unknown> {
  if (response.status !== 200) throw errorOf(response);
  return response.body;
}
