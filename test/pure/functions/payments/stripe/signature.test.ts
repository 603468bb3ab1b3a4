import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import Stripe from 'stripe';
import { signedEvent } from '../../../../../functions/payments/stripe/signature.ts';

const secret = 'whsec_1';
const nowMs = Date.parse('2030-01-01T00:00:00.999Z');
const timestamp = Math.floor(nowMs / 1_000);
const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.refunded' });
const sign = (more: { payload?: string; secret?: string; timestamp?: number } = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, ...more });

/** The result of Stripe's package for a delivery. */
function byStripe(...[body, header, key, atMs]: Parameters<typeof signedEvent>): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, header ?? '', key, 300, undefined, atMs);
  } catch {
    return undefined;
  }
}

/** A header whose signature is right for the text of its timestamp. */
const signedAt = (text: string) =>
  `t=${text},v1=${createHmac('sha256', secret).update(`${text}.${payload}`).digest('hex')}`;

describe('a signed event', () => {
  test('is accepted for 300 seconds after its timestamp, and from a clock that is ahead', () => {
    for (const [age, isAccepted] of [
      [0, true],
      [300, true],
      [301, false],
      [-60, true],
    ] as const) {
      const header = sign({ timestamp: timestamp - age });
      const event = signedEvent(payload, header, secret, nowMs);
      expect(event, String(age)).toEqual(byStripe(payload, header, secret, nowMs));
      expect(event !== undefined, String(age)).toBe(isAccepted);
    }
  });

  test('is accepted when one of several signatures is right, as while Stripe rolls a secret', () => {
    const [time, valid] = sign().split(',');
    const header = `${time},v1=${'0'.repeat(64)},v0=1,${valid}`;
    expect(signedEvent(payload, header, secret, nowMs)).toMatchObject({ id: 'evt_1' });
  });

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no timestamp', sign().split(',')[1]],
    ['no signature', sign().split(',')[0]],
    ['a second, expired timestamp', `${sign()},t=${timestamp - 301}`],
    ['another timestamp', sign().replace(/^t=\d+/, `t=${timestamp - 1}`)],
    ['a second timestamp without a value', `${sign()},t`],
    ['a timestamp with a sign', signedAt(`-${timestamp}`)],
    ['a timestamp with a fraction', signedAt(`${timestamp}.5`)],
    ['a second signature without a value', `${sign()},v1=`],
    ['another secret', sign({ secret: 'whsec_2' })],
    ['another payload', sign({ payload: `${payload} ` })],
    ['the test scheme only', sign().replace('v1=', 'v0=')],
    ['a signature that is too short', sign().slice(0, -1)],
    ['a signature that is too long', `${sign()}0`],
    [
      'a signature in upper case',
      sign().replace(/v1=.*/, (value) => value.toUpperCase().replace('V1', 'v1')),
    ],
  ])('is refused with %s', (_, header) => {
    expect(byStripe(payload, header, secret, nowMs)).toBeUndefined();
    expect(signedEvent(payload, header, secret, nowMs)).toBeUndefined();
  });

  test.each(['', ' ', '\t\n'])('is refused under the blank secret %j, which anyone can guess', (blank) => {
    const header = sign({ secret: blank });
    expect(signedEvent(payload, header, blank, nowMs)).toBeUndefined();
  });

  test.each(['', '{', 'null', '1', '{"object":"v2.core.event"}'])(
    'is refused when its payload %j is no event of this form',
    (body) => {
      expect(signedEvent(body, sign({ payload: body }), secret, nowMs)).toBeUndefined();
    },
  );

  test('is accepted exactly when the package of Stripe accepts it, for any header and payload', () => {
    const text = fc.oneof(fc.string(), fc.constant(payload), fc.string({ unit: 'grapheme' }));
    const header = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.oneof(
            fc.constantFrom('', '=', 't', 'v1', 'v1=', 't=', 'v0=1', 'v1=0'),
            fc.constantFrom(...sign().split(',')),
            fc.integer({ min: timestamp - 600, max: timestamp + 600 }).map((at) => `t=${at}`),
          ),
          { maxLength: 4 },
        )
        .map((fields) => fields.join(',')),
      fc.integer({ min: timestamp - 600, max: timestamp + 600 }).map((at) => sign({ timestamp: at })),
    );
    fc.assert(
      fc.property(text, header, (body, given) => {
        const event = signedEvent(body, given, secret, nowMs);
        if (event !== undefined) expect(event).toEqual(byStripe(body, given, secret, nowMs));
        if (body === payload && given === sign()) expect(event).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: -600, max: 600 }), (name, age) => {
        const body = JSON.stringify({ object: 'event', name });
        const given = sign({ payload: body, timestamp: timestamp - age });
        expect(signedEvent(body, given, secret, nowMs)).toEqual(byStripe(body, given, secret, nowMs));
      }),
    );
  });
});
