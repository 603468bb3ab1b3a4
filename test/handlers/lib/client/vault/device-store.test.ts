import { deviceSignals } from '../../../../../lib/client/index.ts';
import { DeviceCredentials } from '../../../../../lib/client/vault/credentials.ts';
import {
  type DeviceStorage,
  defaultDeviceStore,
  memoryStore,
  webStorageStore,
} from '../../../../../lib/client/vault.ts';
import { vault, verifiedPerson } from '../../../../system/lib/client/vault/service.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

function storage(): DeviceStorage & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
  };
}

describe.each([
  ['memory', memoryStore],
  ['a Storage', () => webStorageStore(storage())],
])('a store in %s', (_name, create) => {
  test('returns what was stored, applies changes to it, and removes it', async () => {
    const store = create();
    expect(await store.get('a')).toBeUndefined();
    expect(await store.update('a', (known) => known ?? { n: 1 })).toEqual({ n: 1 });
    expect(await store.update('a', (known) => known ?? { n: 2 })).toEqual({ n: 1 });
    await store.update('a', () => undefined);
    expect(await store.get('a')).toBeUndefined();
  });
});

describe('the default store', () => {
  test('is localStorage with a token where IndexedDB is missing, and the device survives a reload', async () => {
    const localStorage = storage();
    vi.stubGlobal('localStorage', localStorage);
    const user = await verifiedPerson(defaultDeviceStore());
    await user.client.writeVault(vault, user);
    const reloaded = user.another({ store: defaultDeviceStore() });
    expect(await reloaded.readVault(user)).toMatchObject(vault);
    expect([...localStorage.values.values()].join()).toMatch(/vdt_[\w-]{22}/);
  });

  test('is memory where IndexedDB cannot be opened and there is no localStorage', async () => {
    vi.stubGlobal('localStorage', undefined);
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new Error('SecurityError');
      },
    });
    const store = defaultDeviceStore();
    await store.update('a', () => 1);
    expect([await store.get('a'), store.keepsKeys]).toEqual([1, false]);
  });
});

test('the UUID of a device is the one that deviceSignals stored before, so that a trusted device stays trusted', async () => {
  const localStorage = storage();
  vi.stubGlobal('localStorage', localStorage);
  const { clientDeviceUUID } = deviceSignals();
  const credentials = new DeviceCredentials(memoryStore(), 'account');
  expect(await credentials.uuid()).toBe(clientDeviceUUID);
});

test('credentials of another shape, from another version of the package, count as none', async () => {
  const store = memoryStore();
  await store.update('credentials account', () => 'something else');
  expect(await new DeviceCredentials(store, 'account').read()).toEqual({});
});
