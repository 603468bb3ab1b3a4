import { randomBytes } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { countCalls, failTable } from '../../../support/faults.ts';
import { createdShare, largeBlob, openShare, times } from '../../../support/protected-shares.ts';
import { sharePayload } from '../../../support/samples/requests.ts';

const create = (body: Record<string, unknown>) =>
  call('shares.create', { body: { ...sharePayload, ...body } });
const read = (id: string) => openShare(id);
const createdId = async (body: Record<string, unknown> = {}) => (await createdShare(body)).id;
const gone = { error: 'Link not found or expired' };
const base64 = (bytes: number) => randomBytes(bytes).toString('base64');

describe('POST /api/share', () => {
  test('answers success, an opaque id of 128 bits and the expiry, and nothing else', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00.123Z') });
    const { status, body } = await create({});
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      shareId: expect.stringMatching(/^[olm][A-Za-z0-9_-]{22}$/),
      expiresAt: '2026-03-02T10:00:00.123Z',
    });
  });

  test.each([
    [168, '2026-03-08T00:00:00.000Z'],
    [0.5, '2026-03-01T00:30:00.000Z'],
    [1e-9, '2026-03-01T00:00:00.001Z'],
  ])('expires_in_hours %s expires at %s', async (hours, expiresAt) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T00:00:00Z') });
    expect((await create({ expires_in_hours: hours })).body.expiresAt).toBe(expiresAt);
  });

  test.each([
    ['expires_in_hours', [168.0001, 0, '24', null]],
    ['data_blob', ['AB+-', 'A', 'AA=', 'AAAA\n']],
    ['one_time', [null, 'true']],
    ['access_proof', ['A'.repeat(64), 'a'.repeat(63), null]],
    ['max_views', [0, 101, 1.5, '2', null]],
    ['receipt', ['true', null]],
  ])('refuses %s with each of %j, and names the field', async (field, values) => {
    for (const value of values) {
      const { status, body } = await create({ [field]: value });
      expect(status).toBe(400);
      expect(body).toEqual({ error: 'Invalid payload', details: { [field]: expect.any(String) } });
    }
  });

  test.each([
    ['data_blob', 1, 1024 * 1024],
    ['iv', 1, 64],
    ['meta_blob', 0, 4096],
  ])('%s holds %i to %i bytes', async (field, min, max) => {
    const sized = (bytes: number) => create({ [field]: base64(bytes) });
    expect((await sized(max)).status).toBe(200);
    expect((await sized(min)).status).toBe(200);
    const over = await sized(max + 1);
    expect(over.status).toBe(400);
    expect(over.body.details[field]).toBe(`must hold ${min} to ${max} bytes, this holds ${max + 1}`);
    if (min > 0) expect((await sized(min - 1)).status).toBe(400);
  });

  test('refuses one_time true together with more than one view', async () => {
    const { status, body } = await create({ one_time: true, max_views: 2 });
    expect(status).toBe(400);
    expect(body.details).toEqual({ max_views: 'must be 1 for a share with one_time' });
    expect((await create({ one_time: true, max_views: 1 })).body.shareId).toMatch(/^o/);
    expect((await create({ one_time: false, max_views: 1 })).body.shareId).toMatch(/^o/);
  });
});

describe('GET /api/share', () => {
  test('returns what was stored, character for character, whatever the Base64 variant', async () => {
    const bytes = Buffer.alloc(50, 0xfb);
    for (const data_blob of [bytes.toString('base64'), bytes.toString('base64url'), 'QR==', 'QR', 'QUJ']) {
      for (const meta_blob of [null, '', data_blob]) {
        const answer = await read(await createdId({ data_blob, meta_blob, iv: data_blob }));
        expect([answer.status, answer.body]).toEqual([
          200,
          {
            data_blob,
            meta_blob,
            iv: data_blob,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          },
        ]);
      }
    }
  });

  test.each([
    ['of one item', sharePayload.data_blob],
    ['in parts', largeBlob],
  ])('returns a share with one_time false on every read until it expires, %s', async (_, data_blob) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const id = await createdId({ one_time: false, expires_in_hours: 1, data_blob });
    for (let i = 0; i < 3; i += 1) expect((await read(id)).body.data_blob).toBe(data_blob);
    vi.setSystemTime(Date.now() + 3_599_999);
    expect((await read(id)).status).toBe(200);
    vi.setSystemTime(Date.now() + 1);
    expect((await read(id)).body).toEqual(gone);
  });

  test('refuses a query without an id', async () => {
    for (const query of [{}, { id: '' }, { shareId: 'x' }]) {
      const { status, body } = await call('shares.open', { query: query as Record<string, string> });
      expect([status, body.error, Object.keys(body.details)]).toEqual([400, 'Missing ID', ['id']]);
    }
  });

  test('answers 404 for an id that no share can have, without a call to the table', async () => {
    const open = async () => {
      for (const id of ['unknown', 'o'.repeat(22), '../../etc/passwd', `o${'x'.repeat(9_000)}`])
        expect([(await read(id)).status, (await read(id)).body]).toEqual([404, gone]);
    };
    expect(await countCalls(open)).toEqual([]);
  });

  test('opens and deletes nothing for an id whose read mode was changed by hand', async () => {
    const once = await createdId();
    const many = await createdId({ one_time: false });
    for (const id of [`m${once.slice(1)}`, `o${many.slice(1)}`, `l${many.slice(1)}`])
      expect((await read(id)).body).toEqual(gone);
    expect((await read(once)).status).toBe(200);
    expect((await read(many)).status).toBe(200);
  });

  test('includes a consistent read of a repeated share, whose link may be opened at once', async () => {
    const id = await createdId({ one_time: false });
    const inputs: object[] = [];
    const watch = failTable((_, __, input) => void inputs.push(input));
    await read(id).finally(watch.restore);
    expect(inputs[0]).toMatchObject({ ConsistentRead: true });
  });
});

describe('a one-time share', () => {
  test('of 1 MiB is handed out once too, and leaves a tombstone without payload in the table', async () => {
    const data_blob = randomBytes(1024 * 1024).toString('base64url');
    const id = await createdId({ data_blob });
    const answers = await Promise.all(times(5, () => read(id)));
    expect(answers.flatMap(({ status, body }) => (status === 200 ? [body.data_blob] : []))).toEqual([
      data_blob,
    ]);
    expect(await leftovers(id)).toEqual([
      {
        ...keys.share(id),
        claim: expect.any(String),
        createdAtMs: expect.any(Number),
        expiresAtMs: expect.any(Number),
        ttl: expect.any(Number),
      },
    ]);
  });

  test.each([
    ['in parts', {}, 1],
    ['with a receipt', { receipt: true }, 3],
  ])('%s answers 404, never half a share, to a reader who is overtaken', async (_, more, at) => {
    const id = await createdId({ data_blob: largeBlob, ...more });
    let overtaking: number | undefined;
    const watch = failTable(async (_, index) => {
      if (index === at) overtaking = (await read(id)).status;
      return undefined;
    });
    const overtaken = await read(id).finally(watch.restore);
    expect([overtaking, overtaken.status, overtaken.body]).toEqual([200, 404, gone]);
  });
});

/** The items that are left of a share. */
async function leftovers(id: string): Promise<unknown[]> {
  const all = [keys.share(id), ...[1, 2, 3].map((n) => keys.sharePart(id, n))];
  return (await Promise.all(all.map(getItem))).filter((item) => item !== undefined);
}
