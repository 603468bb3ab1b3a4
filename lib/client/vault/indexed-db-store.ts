import { type DeviceStore, memoryStore, webStorageStore } from './device-store.ts';

/** The parts of IndexedDB in use. https://w3c.github.io/IndexedDB/ */
interface Request<T = unknown> {
  readonly result: T;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface Transaction {
  readonly error: unknown;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
  objectStore(name: string): {
    get(name: string): Request;
    put(value: unknown, name: string): Request;
    delete(name: string): Request;
  };
  abort(): void;
}
interface Database {
  createObjectStore(name: string): unknown;
  transaction(store: string, mode: 'readonly' | 'readwrite', options?: { durability: 'strict' }): Transaction;
  close(): void;
}
/** Only the types of browsers have it. */
declare const indexedDB: {
  open(name: string, version: number): Request<Database> & { onupgradeneeded: (() => void) | null };
};

const databaseName = 'vouchsafe';
const objectStore = 'device';

/**
 * Keeps values in IndexedDB, database `vouchsafe`. Keys that cannot be exported are kept as they are: scripts of the page
 * can sign with them and cannot read them, and other origins can do neither.
 *
 * @throws Error when its methods are called and the browser provides no IndexedDB or refuses to store.
 */
export function indexedDbStore(): DeviceStore {
  return {
    keepsKeys: true,
    get: (name) =>
      transact('readonly', (transaction, settle) => {
        const request = transaction.objectStore(objectStore).get(name);
        request.onsuccess = () => settle(request.result);
      }),
    update: (name, change) =>
      transact('readwrite', (transaction, settle) => {
        const values = transaction.objectStore(objectStore);
        const request = values.get(name);
        request.onsuccess = () => {
          const value = change(request.result);
          if (value === undefined) values.delete(name);
          else values.put(value, name);
          settle(value);
        };
      }),
  };
}

/**
 * The default: IndexedDB with a key that cannot be exported. Where IndexedDB is missing or blocked, as in some private
 * windows, `localStorage` with a token; elsewhere, as in Node.js, memory with a token.
 */
export function defaultDeviceStore(): DeviceStore {
  let chosen: Promise<DeviceStore> | undefined;
  let keepsKeys = false;
  const store = () => {
    chosen ??= firstUsable().then((usable) => {
      keepsKeys = usable.keepsKeys;
      return usable;
    });
    return chosen;
  };
  return {
    /** Known after the first call of a method. */
    get keepsKeys() {
      return keepsKeys;
    },
    get: async (name) => (await store()).get(name),
    update: async (name, change) => (await store()).update(name, change),
  };
}

async function firstUsable(): Promise<DeviceStore> {
  for (const usable of [indexedDbStore, localStorageStore]) {
    try {
      const store = usable();
      // Fails where storage is missing, blocked or full.
      await store.update('device', (stored) => stored);
      return store;
    } catch {
      // The next one is tried.
    }
  }
  return memoryStore();
}

function localStorageStore(): DeviceStore {
  // Browsers that block storage throw on access to localStorage itself.
  const { localStorage } = globalThis;
  return localStorage === undefined ? memoryStore() : webStorageStore(localStorage);
}

/** Runs one transaction. Resolves when it is complete, with the value that `work` settles. */
async function transact(
  mode: 'readonly' | 'readwrite',
  work: (transaction: Transaction, settle: (value: unknown) => void) => void,
): Promise<unknown> {
  // Opened for each transaction: a connection that stays open blocks upgrades and ends when the browser evicts data.
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      let settled: unknown;
      // Strict: the service must not know a key that a power failure takes from the device.
      const transaction = database.transaction(objectStore, mode, { durability: 'strict' });
      transaction.oncomplete = () => resolve(settled);
      // An exception in `onsuccess` aborts the transaction too.
      transaction.onabort = () => reject(new Error('The device store failed.', { cause: transaction.error }));
      work(transaction, (value) => {
        settled = value;
      });
    });
  } finally {
    database.close();
  }
}

function open(): Promise<Database> {
  if (typeof indexedDB === 'undefined') return Promise.reject(new Error('IndexedDB is not available.'));
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(objectStore);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error('IndexedDB could not be opened.', { cause: request.error }));
  });
}
