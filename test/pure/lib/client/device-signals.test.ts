import { type DeviceStorage, deviceSignals } from '../../../../lib/client/index.ts';

const uuidV4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function memory(): DeviceStorage & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
  };
}

function browser(more: Record<string, unknown> = {}) {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
  const globals = {
    navigator: { userAgent, language: 'de-AT', platform: 'Linux x86_64' },
    screen: { width: 1920, height: 1080 },
    localStorage: memory(),
    ...more,
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  return globals;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('signals', () => {
  test('are the properties that the browser reports', () => {
    const { navigator } = browser();
    expect(deviceSignals()).toEqual({
      clientDeviceUUID: expect.stringMatching(uuidV4),
      userAgent: navigator.userAgent,
      language: 'de-AT',
      screenResolution: '1920x1080',
      timezone,
      platform: 'Linux x86_64',
    });
  });

  test('leave out unknown properties', () => {
    browser({ navigator: undefined, screen: undefined });
    expect(Object.keys(deviceSignals()).sort()).toEqual(['clientDeviceUUID', 'timezone']);
    browser({ navigator: { userAgent: '', language: undefined }, screen: { width: 0, height: 0 } });
    expect(Object.keys(deviceSignals()).sort()).toEqual(['clientDeviceUUID', 'timezone']);
  });

  test('are truncated to the limits of the server: 1024 characters of user agent, 128 of the others', () => {
    browser({
      navigator: { userAgent: 'u'.repeat(2000), language: 'l'.repeat(200), platform: 'p'.repeat(200) },
    });
    const { userAgent, language, platform } = deviceSignals();
    expect([userAgent?.length, language?.length, platform?.length]).toEqual([1024, 128, 128]);
  });
});

describe("the device's UUID", () => {
  test('is stored in localStorage and found there again', () => {
    const { localStorage } = browser();
    const { clientDeviceUUID } = deviceSignals();
    expect([...localStorage.values]).toEqual([['vouchsafe-device-uuid', clientDeviceUUID]]);
    expect(deviceSignals().clientDeviceUUID).toBe(clientDeviceUUID);
  });

  test('replaces a stored value that is not a UUID', () => {
    const storage = memory();
    storage.setItem('vouchsafe-device-uuid', 'damaged');
    const { clientDeviceUUID } = deviceSignals({ storage });
    expect(clientDeviceUUID).toMatch(uuidV4);
    expect([...storage.values.values()]).toEqual([clientDeviceUUID]);
  });

  const refuse = () => {
    throw new Error('SecurityError');
  };
  test.each<[string, DeviceStorage]>([
    ['cannot be read', { getItem: refuse, setItem: () => {} }],
    ['is full', { getItem: () => null, setItem: refuse }],
    ['keeps nothing', { getItem: () => null, setItem: () => {} }],
    ['keeps nothing but damage', { getItem: () => 'damaged', setItem: () => {} }],
  ])('lasts for the session when storage %s', (_name, storage) => {
    const { clientDeviceUUID } = deviceSignals({ storage });
    expect(clientDeviceUUID).toMatch(uuidV4);
    expect(deviceSignals({ storage }).clientDeviceUUID).toBe(clientDeviceUUID);
  });
});
