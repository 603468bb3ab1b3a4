import * as env from '../../../../../functions/shared/runtime/env.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['ENROLMENT', env.enrolment, 'open', 'known'],
  ['DEVICE_PROOF', env.deviceProof, 'offered', 'required'],
  ['DEVICE_MANAGEMENT_PROOF', () => String(env.deviceManagementProof()), 'false', 'true'],
] as const)(
  '%s is %3$s or %4$s, and a misspelt value fails instead of meaning the less strict one',
  (name, read, first, second) => {
    expect(read()).toBe(first);
    vi.stubEnv(name, second);
    expect(read()).toBe(second);
    vi.stubEnv(name, `${second} `);
    expect(read).toThrow(`The environment variable ${name} must be ${first} or ${second}`);
  },
);

test.each(['300', '101', '0', '-1', '1.5', 'many'])(
  '%s requests per second are refused with a clear message',
  (text) => {
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', text);
    expect(env.applicationRequestsPerSecond).toThrow(
      'The environment variable APPLICATION_REQUESTS_PER_SECOND must be a whole number from 1 to 100',
    );
  },
);

test.each([
  [undefined, 50],
  ['1', 1],
  ['100', 100],
])('with APPLICATION_REQUESTS_PER_SECOND %s, an application may make %d requests a second', (text, max) => {
  vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', text);
  expect(env.applicationRequestsPerSecond()).toBe(max);
});
