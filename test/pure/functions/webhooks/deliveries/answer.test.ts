import { describe, expect, test } from 'vitest';
import { hourMs, secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { retryAfterMs } from '../../../../../functions/webhooks/deliveries/answer.ts';

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00Z');

  test.each([
    ['120', 120 * secondMs],
    ['0', 0],
    ['Sun, 01 Mar 2026 13:00:00 GMT', hourMs],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('%s is understood', (value, expected) => {
    expect(retryAfterMs(value, nowMs)).toBe(expected);
  });

  test.each(['', '-1', '1.5', '1e9', '99999999999', 'soon', '2026-03-01', 'Sun, 32 Mar 2026 13:00:00 GMT'])(
    '%j is ignored',
    (value) => {
      expect(retryAfterMs(value, nowMs)).toBeUndefined();
    },
  );
});
