import { afterEach, expect, test, vi } from 'vitest';
import { env } from '../../../../functions/shared/runtime/env.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['ENROLMENT', env.enrolment, 'open', 'known'],
  ['DEVICE_PROOF', env.deviceProof, 'offered', 'required'],
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
