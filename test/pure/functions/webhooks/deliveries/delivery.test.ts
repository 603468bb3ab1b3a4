import { Webhook as Verifier } from 'standardwebhooks';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { excerpt, retryAfterMs } from '../../../../../functions/webhooks/deliveries/answer.ts';
import {
  deliveryId,
  newDelivery,
  parseDeliveryId,
} from '../../../../../functions/webhooks/deliveries/delivery.ts';
import { hasFailedForLong, nextAttemptMs } from '../../../../../functions/webhooks/deliveries/schedule.ts';
import { signedHeaders } from '../../../../../functions/webhooks/deliveries/signature.ts';

describe('the attempt after a failed one', () => {
  const failedAtMs = Date.UTC(2026, 10, 22);
  const delay = (attempts: number, fraction: number, retryAfter?: number) => {
    const more = retryAfter === undefined ? {} : { retryAfterMs: retryAfter };
    const atMs = nextAttemptMs(attempts, Object.assign({ failedAtMs, fraction }, more));
    return atMs === undefined ? undefined : atMs - failedAtMs;
  };

  test.each([
    [1, 5 * secondMs],
    [2, 5 * minuteMs],
    [3, 30 * minuteMs],
    [4, 2 * hourMs],
    [5, 5 * hourMs],
    [6, 10 * hourMs],
    [7, 14 * hourMs],
    [8, 20 * hourMs],
    [9, 24 * hourMs],
  ])('number %d follows after %d ms, a tenth less or more', (attempts, delayMs) => {
    const whole = (ms: number) => Math.ceil(Math.round(ms) / secondMs) * secondMs;
    expect([0, 0.5, 1].map((fraction) => delay(attempts, fraction))).toEqual(
      [0.9, 1, 1.1].map((part) => whole(part * delayMs)),
    );
  });

  test('is the last one after ten', () =>
    expect([delay(10, 0), delay(0, 0)]).toEqual([undefined, undefined]));

  test('waits for what the endpoint asks, up to a day, and never less than the schedule', () => {
    expect([minuteMs, dayMs, dayMs + 1, 2 * dayMs].map((ms) => delay(1, 0, ms))).toEqual([
      ...[minuteMs, dayMs, dayMs, dayMs],
    ]);
    expect(delay(2, 0, secondMs)).toBe(270 * secondMs);
    expect(nextAttemptMs(1, { failedAtMs: failedAtMs + 1, fraction: 0.5 })).toBe(failedAtMs + 6 * secondMs);
  });
});

test.each([
  [5, 5 * dayMs, true],
  [6, 6 * dayMs, true],
  [4, 5 * dayMs, false],
  [5, 5 * dayMs - 1, false],
])('attempt %d of an endpoint that fails for %d ms disables it: %s', (attempt, failingMs, expected) => {
  expect(hasFailedForLong(1_000, attempt, 1_000 + failingMs)).toBe(expected);
});

describe('the value of Retry-After', () => {
  const nowMs = Date.parse('2026-11-22T10:00:00Z');
  test.each([
    ['0', 0],
    ['120', 120 * secondMs],
    ['999999999', 999_999_999 * secondMs],
    ['Sun, 22 Nov 2026 10:00:05 GMT', 5 * secondMs],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ...['1000000000', '-1', '1.5', '1 ', 'x1', '', '2026-11-22', 'Sun, 22 Nov 2026 10:00:05 GMT x'].map(
      (text): [string, undefined] => [text, undefined],
    ),
    ...[
      'Sun, 22 Nov 2026 25:00:05 GMT',
      'x Sun, 22 Nov 2026 10:00:05 GMT',
      'Sun, 22 Nov 26 10:00:05 GMT',
    ].map((text): [string, undefined] => [text, undefined]),
    [undefined, undefined],
  ])('%j is a delay of %s ms', (value, expected) => {
    expect(retryAfterMs(value, nowMs)).toBe(expected);
  });
});

describe('what is kept of an answer', () => {
  const kept = (text: string) => excerpt(new TextEncoder().encode(text));

  test('is 1,024 bytes, cut between two characters', () => {
    expect(kept('a'.repeat(1_024))).toHaveLength(1_024);
    expect(kept('a'.repeat(1_025))).toHaveLength(1_024);
    expect(kept(`${'a'.repeat(1_023)}é`)).toBe('a'.repeat(1_023));
    expect(kept(`${'a'.repeat(1_022)}é!`)).toBe(`${'a'.repeat(1_022)}é`);
    // A replaced byte takes three.
    const replaced = excerpt(new Uint8Array(1_024).fill(0xff));
    expect(replaced).toBe('\ufffd'.repeat(341));
  });

  test('has no control characters but line breaks and tabs', () => {
    const controls = Array.from({ length: 0xa1 }, (_, code) => String.fromCodePoint(code));
    const plain = [...kept(controls.join(''))].flatMap((one, code) => (one === '\ufffd' ? [] : [code]));
    const printed = Array.from({ length: 0x7f - 0x20 }, (_, i) => i + 0x20);
    expect(plain).toEqual([9, 10, 13, ...printed, 0xa0]);
  });
});

describe('a delivery', () => {
  afterEach(() => void vi.useRealTimers());

  const ulid = '0123456789ABCDEFGHJKMNPQRS';
  const ids = { webhookId: `whk_${ulid}`, eventId: `evt_${ulid}3` };

  test('has an id that names its webhook and its event', () => {
    const id = deliveryId(ids);
    expect(id).toBe(`dlv_${ulid}${ulid}3`);
    expect(parseDeliveryId(id)).toEqual(ids);
    for (const text of ['', 'dlv_', id.slice(0, -1), `${id}0`, `x${id}`, `DLV_${ulid}${ulid}3`])
      expect(parseDeliveryId(text), text).toBeUndefined();
    for (const text of [
      `dlv_${ulid.toLowerCase()}${ulid}3`,
      `dlv_${ulid}${ulid.toLowerCase()}3`,
      `${id.slice(0, -1)}x`,
    ])
      expect(parseDeliveryId(text), text).toBeUndefined();
  });

  test('is due at once', () => {
    const of = Object.assign({ applicationId: 'app_1', type: 'webhook.test' }, ids);
    expect(newDelivery(of, { createdAtMs: 1, nowMs: 2 })).toEqual(
      Object.assign(
        {
          createdAtMs: 1,
          status: 'pending',
          nextAttemptAtMs: 2,
          made: 0,
          madeBefore: 0,
          retries: 0,
          attempts: [],
        },
        of,
      ),
    );
  });

  test('is signed with each secret, as the library of Standard Webhooks verifies it', () => {
    const secrets = [1, 2].map((n) => `whsec_${Buffer.alloc(32, n).toString('base64')}`);
    const sentAtMs = Date.UTC(2026, 10, 22) + 999;
    vi.useFakeTimers({ toFake: ['Date'], now: sentAtMs });
    const headers = signedHeaders({ eventId: 'evt_1', body: '{"a":"ü"}', sentAtMs }, secrets);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Vouchsafe/1',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(sentAtMs / secondMs)),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/=]{44} v1,[\w+/=]{44}$/),
    });
    for (const secret of secrets) {
      expect(new Verifier(secret).verify('{"a":"ü"}', headers)).toEqual({ a: 'ü' });
      expect(() => new Verifier(secret).verify('{"a":"u"}', headers)).toThrow();
    }
  });
});
