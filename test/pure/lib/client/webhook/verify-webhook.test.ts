import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookError, type WebhookOptions } from '../../../../../lib/client/webhook.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSw';
const next = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const id = 'evt_01M8ABCDEFGHJKMNPQRSTVWXYZ0';
const atMs = Date.parse('2026-11-26T12:00:00Z');
const exampleEvent = {
  id,
  type: 'webhook.test',
  createdAt: '2026-11-26T12:00:00.000Z',
  sequence: 1,
  data: { _id: 'whk_1', umlaut: 'ü' },
};
const body = JSON.stringify(exampleEvent);

const headersBy = (by: string, content = body) => ({
  'webhook-id': id,
  'webhook-timestamp': String(atMs / 1_000),
  'webhook-signature': new Webhook(by).sign(id, new Date(atMs), content),
});
const options: WebhookOptions = { now: () => atMs };
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'verified',
    (error: WebhookError) => error.code,
  );

describe('a delivery that the library of Standard Webhooks signed is verified', () => {
  test.each([
    ['as text', body, headersBy(secret)],
    ['as bytes', Buffer.from(body), headersBy(secret)],
    ['with the headers of fetch', body, new Headers(headersBy(secret))],
  ])('%s', async (_name, payload, headers) => {
    expect(await verifyWebhook(payload, headers, secret, options)).toEqual(exampleEvent);
  });

  test('while a secret is replaced: by either secret of the receiver, and by either signature', async () => {
    const both = [secret, next];
    for (const one of both)
      expect(await verifyWebhook(body, headersBy(one), both, options)).toEqual(exampleEvent);
    const signedTwice = Object.assign(headersBy(secret), {
      'webhook-signature': `v1a,abc ${headersBy(secret)['webhook-signature']} ${headersBy(next)['webhook-signature']}`,
    });
    for (const one of both)
      expect(await verifyWebhook(body, signedTwice, one, options)).toEqual(exampleEvent);
  });

  test('of a type that this version does not know, and with fields that it does not know', async () => {
    const event = { id, type: 'parcel.sent', createdAt: '', sequence: 1, data: { a: 1 }, more: true };
    const text = JSON.stringify(event);
    expect(await verifyWebhook(text, headersBy(secret, text), secret, options)).toEqual(event);
  });
});

test.each([
  ['another secret', 'wrong_signature', () => verifyWebhook(body, headersBy(next), secret, options)],
  ['another body', 'wrong_signature', () => verifyWebhook(`${body} `, headersBy(secret), secret, options)],
  [
    'another id',
    'wrong_signature',
    () => verifyWebhook(body, Object.assign(headersBy(secret), { 'webhook-id': 'evt_2' }), secret, options),
  ],
  [
    'another time',
    'wrong_signature',
    () =>
      verifyWebhook(body, Object.assign(headersBy(secret), { 'webhook-timestamp': '1' }), secret, options),
  ],
  ['no header', 'missing_header', () => verifyWebhook(body, {}, secret, options)],
  ['no secret', 'wrong_signature', () => verifyWebhook(body, headersBy(secret), [], options)],
  [
    'a key as the secret',
    'invalid_secret',
    () => verifyWebhook(body, headersBy(secret), 'vak_AAAA', options),
  ],
  [
    'a delivery of 301 seconds ago',
    'wrong_time',
    () => verifyWebhook(body, headersBy(secret), secret, { now: () => atMs + 301_000 }),
  ],
  [
    'a delivery 301 seconds ahead',
    'wrong_time',
    () => verifyWebhook(body, headersBy(secret), secret, { now: () => atMs - 301_000 }),
  ],
  [
    'a body that is no event',
    'invalid_payload',
    () => verifyWebhook('[]', headersBy(secret, '[]'), secret, options),
  ],
])('%s is refused: %s', async (_name, code, work) => {
  expect(await codeOf(work())).toBe(code);
});

test('five minutes are tolerated, and the tolerance can be set', async () => {
  const late = { now: () => atMs + 300_000 };
  expect(await codeOf(verifyWebhook(body, headersBy(secret), secret, late))).toBe('verified');
  const strict = Object.assign({ toleranceSeconds: 60 }, late);
  expect(await codeOf(verifyWebhook(body, headersBy(secret), secret, strict))).toBe('wrong_time');
});
