import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { encryptShare, type ShareErrorCode } from '../../../../../lib/client/index.ts';
import {
  type CreatedShare,
  ShareClient,
  type ShareError,
  shareLink,
} from '../../../../../lib/client/share.ts';
import { listen } from '../../../../../lib/local/listen.ts';
import { call } from '../../../../support/call.ts';
import { type HandlerServer, startHandlers } from '../../../../system/lib/client/server.ts';

let service: HandlerServer;
let client: ShareClient;
beforeAll(async () => {
  service = await startHandlers();
  client = new ShareClient({ apiUrl: service.url });
});
afterEach(() => {
  service.fault = () => undefined;
  service.taken();
  vi.useRealTimers();
});
afterAll(() => service.close());

const text = 'Grüße 🔑';
const passphrase = 'correct horse';

/** The error that a promise rejects with. */
async function refusal(promise: Promise<unknown>): Promise<ShareError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'ShareError' });
  return error as ShareError;
}
const code = async (promise: Promise<unknown>): Promise<ShareErrorCode> => (await refusal(promise)).code;

describe('a created share', () => {
  test('is opened once with its link alone, and then is gone', async () => {
    const { link, shareId, expiresAt } = await client.create({ text });
    expect(link).toMatch(new RegExp(`^${service.url}/s/${shareId}#k[A-Za-z0-9_-]{43}$`));
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(await client.open(link)).toMatchObject({ kind: 'text', text, createdAt: expect.any(String) });
    expect(await code(client.open(link))).toBe('share_gone');
  });

  test('of an older client, or of one that knows the contract alone, is opened', async () => {
    const { payload, key } = await encryptShare(text, 'any metadata');
    const { body } = await call('shares.create', { body: payload });
    expect(await client.open({ shareId: body.shareId, key })).toMatchObject({ kind: 'text', text });
  });
});

test('a share with a passphrase is not used up by a wrong passphrase, nor asked for without one', async () => {
  const { link } = await client.create({ text }, { passphrase });
  service.taken();
  expect(await code(client.open(link))).toBe('passphrase_required');
  expect(service.taken()).toEqual([]);
  for (const wrong of ['wrong', 'Correct horse', `${passphrase} `]) {
    expect(await code(client.open(link, { passphrase: wrong }))).toBe('wrong_passphrase');
  }
  expect(await client.open(link, { passphrase })).toMatchObject({ text });
});

test('who knows the id of a share but not its key neither opens it nor uses it up', async () => {
  const { link, shareId } = await client.create({ text });
  const guessed = await encryptShare('', undefined, { accessProof: true });
  expect(await code(client.open({ shareId, key: guessed.key }))).toBe('not_decrypted');
  expect(await code(client.open({ shareId, key: guessed.key.slice(1) }))).toBe('not_decrypted');
  expect(await client.open(link)).toMatchObject({ text });
});

describe('a receipt', () => {
  const created = (options = {}) =>
    client.create({ text }, { receipt: true, ...options }) as Promise<Required<CreatedShare>>;

  test('says that a share is stored, and then when and how often it was opened', async () => {
    const { link, receiptLink } = await created({ maxViews: 3 });
    expect(await client.receipt(receiptLink)).toEqual({
      status: 'stored',
      views: 0,
      maxViews: 3,
      firstOpenedAt: null,
      lastOpenedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      burnedAt: null,
    });
    await client.open(link);
    await client.open(link);
    const receipt = await client.receipt(receiptLink);
    expect(receipt).toMatchObject({ status: 'opened', views: 2, maxViews: 3 });
    expect(Date.parse(receipt.lastOpenedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(receipt.firstOpenedAt ?? ''),
    );
  });

  test('burns a share, as often as it is asked to', async () => {
    const { link, receiptLink } = await created();
    const burned = await client.burn(receiptLink);
    expect(burned).toMatchObject({ status: 'burned', views: 0, burnedAt: expect.any(String) });
    expect(await client.burn(receiptLink)).toEqual(burned);
    expect(await code(client.open(link))).toBe('share_gone');
    expect(await client.receipt(receiptLink)).toEqual(burned);
  });
});

describe('on the way', () => {
  test('no key, passphrase or content reaches the service', async () => {
    const { link, receiptLink = '' } = await client.create({ text }, { passphrase, receipt: true });
    await client.open(link, { passphrase });
    await client.receipt(receiptLink);
    const key = link.split('#p')[1] ?? '';
    const sent = JSON.stringify(service.taken());
    expect(key).toHaveLength(43);
    for (const kept of [key, passphrase, 'Grüße', Buffer.from(text).toString('base64').slice(0, 8)]) {
      expect(sent).not.toContain(kept);
    }
  });

  test('an opening is sent once, and an answer that is lost says that the share may be used up', async () => {
    const { link } = await client.create({ text });
    service.taken();
    service.fault = () => 'answer lost';
    const { code, message } = await refusal(client.open(link));
    expect(code).toBe('unreachable');
    expect(message).toContain('may be used up');
    expect(service.taken().map(({ method }) => method)).toEqual(['GET']);
  });

  test.each([
    [429, { 'retry-after': '17' }, { code: 'rate_limited', retryAfterSeconds: 17 }],
    [500, { 'x-audit-id': 'audit-1' }, { code: 'server_error', auditId: 'audit-1' }],
    [502, {}, { code: 'server_error' }],
    [400, {}, { code: 'invalid_request', details: 'why' }],
    [413, {}, { code: 'too_large' }],
  ] as const)('the answer %i is an error of its own', async (status, headers, expected) => {
    service.fault = () => ({ status, headers, body: '{"error":"text","details":"why"}' });
    const refused = await refusal(client.create({ text }));
    expect(refused).toMatchObject(Object.assign({ status }, expected));
  });

  test.each(['<html>Welcome to our hotel</html>', '"text"', 'null', ''])(
    'the answer %j of something else than the service is no answer',
    async (body) => {
      service.fault = () => ({ status: 200, body });
      expect(
        await code(client.open(shareLink(service.url, 'id', randomBytes(32).toString('base64url')))),
      ).toBe('unreachable');
    },
  );

  test('a redirect is not followed: the proof is for the service alone', async () => {
    const { link } = await client.create({ text });
    service.taken();
    service.fault = () => ({ status: 307, body: '{}', headers: { location: '/elsewhere' } });
    expect(await code(client.open(link))).toBe('unreachable');
    expect(service.taken()).toHaveLength(1);
  });

  test('a signal ends a request with its reason, and an aborted one sends nothing', async () => {
    const reason = new Error('left the page');
    const abort = new AbortController();
    // Aborts when the request is there, and never answers.
    const silent = await listen(
      createServer(() => abort.abort(reason)),
      0,
    );
    const waiting = new ShareClient({ apiUrl: silent.url });
    await expect(waiting.create({ text }, { signal: abort.signal })).rejects.toBe(reason);
    await expect(client.create({ text }, { signal: abort.signal })).rejects.toBe(reason);
    expect(service.taken()).toEqual([]);
    await silent.close();
  });

  test('no error shows key, link, passphrase or content', async () => {
    const { link } = await client.create({ text }, { passphrase });
    const errors = [
      await refusal(client.open(link)),
      await refusal(client.open(link, { passphrase: 'a wrong one' })),
      await refusal(client.open(`${link}x`, { passphrase })),
    ];
    await client.open(link, { passphrase });
    errors.push(await refusal(client.open(link, { passphrase })));
    const key = link.split('#')[1] ?? '';
    for (const error of errors) {
      const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
      for (const kept of [key.slice(0, 12), passphrase, 'a wrong one', text])
        expect(shown).not.toContain(kept);
    }
  });
});

test.each(['', 'api.example.com', 'ftp://api.example.com', 'https://api.example.com?x=1'])(
  'no client is made for the address %j',
  (apiUrl) => {
    expect(() => new ShareClient({ apiUrl })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  },
);

test.each([
  [{ text }, { passphrase: '' }],
  [{ text }, { oneTime: true, maxViews: 2 }],
  [{ text }, { maxViews: 101 }],
  [{ text }, { expiresInHours: 0 }],
  [{ files: [] }, {}],
])('the arguments %j, %j are refused', async (content, options) => {
  expect(await code(client.create(content, options))).toBe('invalid_request');
});
