import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, freshAddress } from '../../../support/call.ts';
import { countCalls, failTable, roundTrips } from '../../../support/faults.ts';
import { sharePayload } from '../../../support/samples/requests.ts';
import { samples } from '../../../support/thoroughness.ts';

const create = (body: Record<string, unknown>) =>
  call('shares.create', { body: { ...sharePayload, ...body } });
const read = (id: string) => call('shares.open', { query: { id } });
const createdId = async (body: Record<string, unknown> = {}): Promise<string> => {
  const { body: answer } = await create(body);
  return answer.shareId;
};
const gone = { error: 'Link not found or expired' };

afterEach(() => {
  vi.useRealTimers();
});

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
    [undefined, '2026-03-02T00:00:00.000Z'],
  ])('expires_in_hours %s expires at %s', async (hours, expiresAt) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T00:00:00Z') });
    expect((await create({ expires_in_hours: hours })).body.expiresAt).toBe(expiresAt);
  });

  test.each([168.0001, 169, 0, -1, '24', null, true, [24], 1e308])(
    'refuses expires_in_hours %j',
    async (hours) => {
      const { status, body } = await create({ expires_in_hours: hours });
      expect(status).toBe(400);
      expect(body).toEqual({ error: 'Invalid payload', details: { expires_in_hours: expect.any(String) } });
    },
  );

  test('refuses a number beyond the range of JSON instead of storing infinity', async () => {
    const body = `${JSON.stringify(sharePayload).slice(0, -1)},"expires_in_hours":1e999}`;
    expect((await call('shares.create', { body })).body.details).toHaveProperty('expires_in_hours');
  });

  test.each(['data_blob', 'iv', 'meta_blob'])(
    'refuses %s that is not Base64, with the reason',
    async (field) => {
      for (const bad of ['not base64!', 'A', 'AA=', 'AB+-', 'ÄÄÄÄ', 'AAAA\n']) {
        const { status, body } = await create({ [field]: bad });
        expect(status).toBe(400);
        expect(body).toEqual({
          error: 'Invalid payload',
          details: { [field]: expect.stringContaining('Base64') },
        });
      }
    },
  );

  test.each([
    ['data_blob', 1, 1024 * 1024],
    ['iv', 1, 64],
    ['meta_blob', 0, 4096],
  ])('%s holds %i to %i bytes', async (field, min, max) => {
    const sized = (bytes: number) => create({ [field]: randomBytes(bytes).toString('base64') });
    expect((await sized(max)).status).toBe(200);
    expect((await sized(min)).status).toBe(200);
    const over = await sized(max + 1);
    expect(over.status).toBe(400);
    expect(over.body.details[field]).toBe(`must hold ${min} to ${max} bytes, this holds ${max + 1}`);
    if (min > 0) expect((await sized(min - 1)).status).toBe(400);
  });

  test.each([null, 'true', 1, {}])('refuses one_time %j', async (oneTime) => {
    expect((await create({ one_time: oneTime })).body.details).toEqual({ one_time: 'must be a boolean' });
  });

  test('refuses a body of 3 MiB and stores nothing', async () => {
    const calls = await countCalls(async () => {
      const { status, body } = await create({ data_blob: 'A'.repeat(3 * 1024 * 1024) });
      expect(status).toBe(400);
      expect(body.error).toBe('Invalid payload');
    });
    expect(calls).toEqual(['UpdateItemCommand']);
  });
});

describe('GET /api/share', () => {
  test('returns what was stored, character for character, whatever the Base64 variant', async () => {
    const { body } = await create({ data_blob: 'ab-_Z', data: 1 });
    expect(body.error).toBe('Invalid payload');
    const text = fc
      .tuple(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.constantFrom('base64' as const, 'base64url' as const),
      )
      .map(([bytes, as]) => Buffer.from(bytes).toString(as));
    const blobs = fc.record({ data_blob: text, meta_blob: fc.option(text), one_time: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(blobs, async (stored) => {
        const id = await createdId(stored);
        const answer = await read(id);
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({
          data_blob: stored.data_blob,
          meta_blob: stored.meta_blob,
          iv: sharePayload.iv,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        });
      }),
      { numRuns: 60 },
    );
  });

  test('returns the unused bits of the last characters as they were sent', async () => {
    for (const text of ['QR==', 'QR', 'QUJ=', 'QUJ', '____']) {
      expect((await read(await createdId({ data_blob: text, iv: text }))).body).toMatchObject({
        data_blob: text,
        iv: text,
      });
    }
  });

  test('deletes a share on its first read by default', async () => {
    const id = await createdId();
    expect((await read(id)).status).toBe(200);
    const again = await read(id);
    expect(again.status).toBe(404);
    expect(again.body).toEqual(gone);
  });

  test('returns a share with one_time false on every read until it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const id = await createdId({ one_time: false, expires_in_hours: 1 });
    for (let i = 0; i < 10; i += 1) expect((await read(id)).status).toBe(200);
    vi.setSystemTime(Date.now() + 3_599_999);
    expect((await read(id)).status).toBe(200);
    vi.setSystemTime(Date.now() + 1);
    expect((await read(id)).body).toEqual(gone);
  });

  test('answers 404 for an expired one-time share that the table has not deleted yet', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const id = await createdId({ expires_in_hours: 1 });
    vi.setSystemTime(Date.now() + 3_600_000);
    expect((await read(id)).body).toEqual(gone);
  });

  test.each([{}, { id: '' }, { ID: 'x' }, { shareId: 'x' }])(
    'refuses the query %j, which has no id',
    async (query) => {
      const { status, body } = await call('shares.open', { query: query as Record<string, string> });
      expect(status).toBe(400);
      expect(body.error).toBe('Missing ID');
      expect(body.details).toHaveProperty('id');
    },
  );

  test.each([
    'unknown',
    'o'.repeat(23),
    'm'.repeat(23),
    '../../etc/passwd',
    'SHARE#x',
    "' OR 1=1 --",
    '%00',
    '\u0000',
    'o<script>alert(1)</script>',
    '{"S":"x"}',
    '💣',
  ])('answers 404 for the id %j', async (id) => {
    const { status, body } = await read(id);
    expect(status).toBe(404);
    expect(body).toEqual(gone);
  });

  test('answers 404 for an id of 10,000 characters', async () => {
    expect((await read(`o${'x'.repeat(10_000)}`)).body).toEqual(gone);
  });

  test('opens and deletes nothing for an id whose read mode was changed by hand', async () => {
    const once = await createdId();
    const many = await createdId({ one_time: false });
    expect((await read(`m${once.slice(1)}`)).body).toEqual(gone);
    expect((await read(`o${many.slice(1)}`)).body).toEqual(gone);
    expect((await read(once)).status).toBe(200);
    expect((await read(many)).status).toBe(200);
  });

  test('refuses two ids, and deletes neither share', async () => {
    const id = await createdId();
    const { handlerOf, proxyEvent, registered } = await import('../../../support/call.ts');
    const entry = registered('shares.open');
    const event = proxyEvent(entry, { query: { id } });
    event.multiValueQueryStringParameters = { id: ['x', id] };
    const result = await (await handlerOf(entry))(event);
    expect(result.statusCode).toBe(400);
    expect((await read(id)).status).toBe(200);
  });
});

describe('a one-time share', () => {
  test('is handed out once: 32 readers of each of many shares get one payload of each', async () => {
    const shares = samples({ few: 20, many: 200 });
    let payloads = 0;
    for (let n = 0; n < shares; n += 1) {
      const id = await createdId();
      const answers = await Promise.all(Array.from({ length: 32 }, () => read(id)));
      const opened = answers.filter(({ status }) => status === 200);
      expect(opened).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(31);
      expect(opened[0]?.body.data_blob).toBe(sharePayload.data_blob);
      payloads += opened.length;
    }
    expect(payloads).toBe(shares);
  });

  test('of 1 MiB is handed out once too, and leaves a tombstone without payload in the table', async () => {
    const data_blob = randomBytes(1024 * 1024).toString('base64url');
    const id = await createdId({ data_blob });
    const answers = await Promise.all(Array.from({ length: 16 }, () => read(id)));
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.data_blob)).toEqual([
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

  test('of 1 MiB is returned whole every time when it is not one-time', async () => {
    const data_blob = randomBytes(1024 * 1024).toString('base64');
    const id = await createdId({ data_blob, one_time: false });
    for (let i = 0; i < 3; i += 1) expect((await read(id)).body.data_blob).toBe(data_blob);
  });
});

describe('an interrupted request', () => {
  test('leaves nothing readable when a creation fails at any of its writes', async () => {
    for (const size of [100, 1024 * 1024]) {
      const data_blob = randomBytes(size).toString('base64');
      const fault = failTable((command) =>
        command === 'UpdateItemCommand' ? undefined : new Error('connection lost'),
      );
      const answer = await create({ data_blob });
      fault.restore();
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({ error: 'Share creation failed' });
      expect(fault.calls).toHaveLength(2);
    }
  });

  test('retries a creation in conflict with another transaction until it succeeds', async () => {
    const conflict = Object.assign(new Error('cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    const data_blob = randomBytes(1024 * 1024).toString('base64');
    const fault = failTable((command, index) =>
      command.startsWith('Transact') && index < 3 ? conflict : undefined,
    );
    const answer = await create({ data_blob });
    fault.restore();
    expect(answer.status).toBe(200);
    expect(fault.calls.filter((command) => command.startsWith('Transact'))).toHaveLength(3);
    expect((await read(answer.body.shareId)).body.data_blob).toBe(data_blob);
  });

  test('answers 500 after five attempts in conflict', async () => {
    const conflict = Object.assign(new Error('cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    const fault = failTable((command) => (command.startsWith('Transact') ? conflict : undefined));
    const answer = await create({ data_blob: randomBytes(1024 * 1024).toString('base64') });
    fault.restore();
    expect(answer.body).toEqual({ error: 'Share creation failed' });
    expect(fault.calls.filter((command) => command.startsWith('Transact'))).toHaveLength(5);
  });

  test('deletes nothing when a read fails before its delete', async () => {
    const id = await createdId();
    const fault = failTable(() => new Error('connection lost'));
    const failed = await read(id);
    fault.restore();
    expect(failed.body).toEqual({ error: 'Retrieval failed' });
    expect((await read(id)).status).toBe(200);
  });

  // Head; two parts; the claim, which removes the payload of the head; the deletes of the parts.
  test.each([0, 1, 2, 3])(
    'deletes nothing when the read of a large share fails at call %i, up to its claim',
    async (at) => {
      const data_blob = randomBytes(1024 * 1024).toString('base64');
      const id = await createdId({ data_blob });
      const fault = failTable((_, index) => (index === at ? new Error('connection lost') : undefined));
      const failed = await read(id);
      fault.restore();
      expect(failed.status).toBe(500);
      expect((await read(id)).body.data_blob).toBe(data_blob);
      expect((await read(id)).body).toEqual(gone);
    },
  );

  test('answers 404, never half a share, to a reader who is overtaken while reading a large one', async () => {
    const id = await createdId({ data_blob: randomBytes(1024 * 1024).toString('base64') });
    let overtaking: number | undefined;
    const watch = failTable(async (_, index) => {
      if (index !== 1) return undefined;
      overtaking = (await read(id)).status;
      return undefined;
    });
    const overtaken = await read(id);
    watch.restore();
    expect(overtaking).toBe(200);
    expect(overtaken.body).toEqual(gone);
  });

  test('leaves parts that could not be deleted after the claim unreadable', async () => {
    const id = await createdId({ data_blob: randomBytes(1024 * 1024).toString('base64') });
    const fault = failTable((_, index) => (index > 5 ? new Error('connection lost') : undefined));
    const answer = await read(id);
    fault.restore();
    expect(answer.status).toBe(200);
    expect((await leftovers(id)).length).toBe(3);
    for (const letter of ['o', 'l', 'm']) expect((await read(letter + id.slice(1))).body).toEqual(gone);
  });
});

describe('the cost', () => {
  test.each([
    ['one-time', true, [['UpdateItemCommand', 'UpdateItemCommand'], ['UpdateItemCommand']]],
    ['repeated', false, [['GetItemCommand', 'UpdateItemCommand']]],
  ])(
    'of a %s share of ordinary size is the limit and a put, then %j to open',
    async (_, one_time, opening) => {
      const data_blob = randomBytes(100).toString('base64');
      let id = '';
      expect(
        await countCalls(async () => {
          id = await createdId({ data_blob, one_time });
        }),
      ).toEqual(['UpdateItemCommand', 'PutItemCommand']);
      expect(await roundTrips(() => read(id))).toEqual(opening);
    },
  );

  test('of a share of 1 MiB is the limit and a transaction, then four round trips for a one-time read, two for a repeated one', async () => {
    const data_blob = randomBytes(1024 * 1024).toString('base64');
    let id = '';
    const creating = await countCalls(async () => {
      id = await createdId({ data_blob });
    });
    expect(creating).toEqual(['UpdateItemCommand', 'TransactWriteItemsCommand']);
    const get = 'GetItemCommand';
    const remove = 'DeleteItemCommand';
    const count = 'UpdateItemCommand';
    expect(await roundTrips(() => read(id))).toEqual([
      [get, count],
      [get, get, count],
      ['UpdateItemCommand'],
      [remove, remove],
    ]);
    const many = await createdId({ data_blob, one_time: false });
    expect(await roundTrips(() => read(many))).toEqual([
      [get, count],
      [get, get, count],
    ]);
  });

  test('includes a conditional claim, since only a conditional write has one guaranteed winner', async () => {
    const { ConditionExpression } = (await inputOf(await createdId())) as { ConditionExpression: string };
    expect(ConditionExpression).toContain('attribute_exists(pk)');
    expect(ConditionExpression).toContain('attribute_not_exists(claim)');
  });

  test('includes a consistent read of a repeated share, whose link may be opened at once', async () => {
    expect(await inputOf(await createdId({ one_time: false }))).toMatchObject({ ConsistentRead: true });
  });

  test('of a malformed id is no round trip', async () => {
    expect(await countCalls(() => read('nonsense'))).toEqual([]);
  });
});

test('exactly 5 of 100 concurrent creations from one address are allowed', async () => {
  const sourceIp = freshAddress();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => call('shares.create', { body: sharePayload, sourceIp })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(95);
  for (const { body } of answers.slice(5))
    if (body.error) expect(body).toEqual({ error: 'Too many requests' });
});

/** The first call to the table when a share is opened. */
async function inputOf(id: string): Promise<object | undefined> {
  const inputs: object[] = [];
  const watch = failTable((_, __, input) => {
    inputs.push(input);
    return undefined;
  });
  await read(id);
  watch.restore();
  return inputs[0];
}

/** The items that are left of a share. */
async function leftovers(id: string): Promise<unknown[]> {
  const all = [keys.share(id), ...[1, 2, 3].map((n) => keys.sharePart(id, n))];
  return (await Promise.all(all.map(getItem))).filter((item) => item !== undefined);
}
