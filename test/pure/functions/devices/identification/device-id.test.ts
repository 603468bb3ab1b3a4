import fc from 'fast-check';
import {
  hashSignals,
  identifyDevice,
  type Signals,
} from '../../../../../functions/devices/identification/device-id.ts';

const uuid = '3f0f1f0e-7c1b-4c55-9d0f-2f6a8a1f6f55';

const laptop: Signals = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  language: 'de-CH',
  screenResolution: '2560x1440',
  timezone: 'Europe/Zurich',
  platform: 'Linux x86_64',
};

const hashed = ['userAgent', 'language', 'screenResolution', 'timezone', 'platform'] as const;

/** Any signals, often with small differences. */
const anySignals = fc.record(
  Object.fromEntries(
    hashed.map((field) => [
      field,
      fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom('', '"', '",')),
    ]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Signals>;

describe('the hash of the signals', () => {
  // printf '%s' '["Mozilla/5.0 (X11; ...","de-CH",...]' | openssl dgst -sha256 -binary | openssl base64
  test('is the standard Base64 of SHA-256 over the values in a fixed order, which never changes', () => {
    expect(hashSignals(laptop)).toBe('wevXIiQskrxXO1ZFYJNXvs5Scjx9rYhVdfMX5C0stNs=');
    expect(hashSignals({ language: '', timezone: 'Asia/Köln "x"' })).toBe(
      'zfaMrdKlrGOyRBQLEEGEQo99okk1GIaO1/qiDp3VHOI=',
    );
  });

  test('does not depend on the order in which a client sends its fields', () => {
    expect(hashSignals(Object.fromEntries(Object.entries(laptop).reverse()))).toBe(hashSignals(laptop));
  });

  test('has 44 characters for any text, including lone surrogates', () => {
    fc.assert(
      fc.property(anySignals, (signals) => {
        expect(hashSignals(signals)).toMatch(/^[A-Za-z0-9+/]{43}=$/);
      }),
    );
    expect(hashSignals({ platform: '\ud800' })).not.toBe(hashSignals({ platform: '\ufffd' }));
  });

  test('differs for different signals', () => {
    fc.assert(
      fc.property(anySignals, anySignals, (one, other) => {
        const same = hashed.every((field) => one[field] === other[field]);
        expect(hashSignals(one) === hashSignals(other)).toBe(same);
      }),
      { numRuns: 200 },
    );
  });

  test.each<[string, Signals, Signals]>([
    ['text moved to the next field', { userAgent: 'ab', language: 'c' }, { userAgent: 'a', language: 'bc' }],
    ['one value in another field', { timezone: 'x' }, { platform: 'x' }],
    ['a value that looks like JSON', { userAgent: 'a","b' }, { userAgent: 'a', language: 'b' }],
    ['an absent and an empty value', {}, { platform: '' }],
    ['an absent value and the text null', {}, { platform: 'null' }],
    ['upper and lower case', { language: 'DE' }, { language: 'de' }],
  ])('differs for %s', (_, one, other) => {
    expect(hashSignals(one)).not.toBe(hashSignals(other));
  });

  test('ignores the clientDeviceUUID and undeclared fields', () => {
    expect(hashSignals({ ...laptop, clientDeviceUUID: uuid })).toBe(hashSignals(laptop));
    expect(hashSignals(Object.assign({ battery: '80' }, laptop))).toBe(hashSignals(laptop));
  });

  test('treats an undefined field as absent', () => {
    expect(hashSignals({ platform: undefined })).toBe(hashSignals({}));
  });
});

describe('a device is identified', () => {
  test('by the id that its client stores, verbatim and without a lookup', async () => {
    const lookUp = vi.fn(async () => 'looked-up');
    expect(await identifyDevice({ ...laptop, clientDeviceUUID: uuid }, lookUp)).toBe(`client-${uuid}`);
    expect(await identifyDevice({ clientDeviceUUID: uuid.toUpperCase() }, lookUp)).toBe(
      `client-${uuid.toUpperCase()}`,
    );
    expect(lookUp).not.toHaveBeenCalled();
  });

  test('by the lookup when its client stores no id', async () => {
    const lookUp = vi.fn(async () => 'looked-up');
    expect(await identifyDevice(laptop, lookUp)).toBe('looked-up');
    expect(lookUp).toHaveBeenCalledExactlyOnceWith(laptop);
  });

  test('by its signals when the lookup is unavailable', async () => {
    expect(await identifyDevice(laptop, async () => undefined)).toBe(hashSignals(laptop));
  });

  test('by its signals when its client sends an empty id', async () => {
    const signals = { ...laptop, clientDeviceUUID: '' };
    expect(await identifyDevice(signals, async () => undefined)).toBe(hashSignals(laptop));
  });
});
