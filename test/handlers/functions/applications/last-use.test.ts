import { readApplicationUse } from '../../../../functions/shared/auth/application-use.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../functions/shared/runtime/clock.ts';
import { consume } from '../../../../functions/shared/table/rate-limit.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { bearer, type Credentials, call, good, newTenant } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { newTokens, requestRefresh } from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);
const now = () => new Date().toISOString();
const request = (secret: string) => call('webhooks.webhook-list', { headers: bearer(secret) });

/** The last use of each kind of key, as an operator reads it. */
async function lastUse({ applicationId: id }: Credentials): Promise<Record<string, string | undefined>> {
  const { application } = good(await call('applications.read', await asOperator({ params: { id } })));
  const rows = application.keys.map(({ kind, lastUsedAt }: Record<string, string>) => [kind, lastUsedAt]);
  return Object.fromEntries(rows);
}

/** The updates that `work` sends, by their expressions. */
async function updatesOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { restore } = failTable((command, _, input) => {
    if (command === 'UpdateItemCommand') sent.push((input as { UpdateExpression: string }).UpdateExpression);
    return undefined;
  });
  try {
    await work();
  } finally {
    restore();
  }
  return sent;
}

const item = ({ applicationId }: Credentials) => getItem(keys.rateLimit('application', applicationId));

describe('the last use of a key', () => {
  test('is the time of its last request, and absent before the first one', async () => {
    const tenant = await newTenant();
    expect(await lastUse(tenant)).toEqual({ client_secret: undefined, api_key: undefined });
    expect((await request(tenant.apiKey)).status).toBe(200);
    const first = now();
    expect(await lastUse(tenant)).toEqual({ client_secret: undefined, api_key: first });
    advance(minuteMs);
    expect((await request(tenant.clientSecret)).status).toBe(200);
    expect(await lastUse(tenant)).toEqual({ client_secret: now(), api_key: first });
    const { body } = await call(
      'applications.update',
      await asOperator({ params: { id: tenant.applicationId }, body: { name: 'Renamed' } }),
    );
    expect(body.application.keys.map(({ lastUsedAt }: { lastUsedAt?: string }) => lastUsedAt)).toEqual(
      expect.arrayContaining([first, now()]),
    );
  });

  test('of another application, and an unknown application, are not told', async () => {
    const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
    await request(tenant.apiKey);
    expect(await lastUse(other)).toEqual({ client_secret: undefined, api_key: undefined });
    const unknown = await call('applications.read', await asOperator({ params: { id: 'app_none' } }));
    expect(unknown.status).toBe(404);
  });

  test('costs no call to the table: a request within the limit makes one update', async () => {
    const tenant = await newTenant();
    const sent = await updatesOf(() => request(tenant.apiKey));
    expect(sent).toEqual([expect.stringMatching(/^SET h0=:now, .*#key_\w+=:now$/)]);
  });

  test('is known for 90 days, whatever other requests do', async () => {
    const tenant = await newTenant();
    await request(tenant.clientSecret);
    const first = now();
    advance(90 * dayMs - 1);
    await request(tenant.apiKey);
    expect(await lastUse(tenant)).toEqual({ client_secret: first, api_key: now() });
    expect(Number((await item(tenant))?.ttl) * secondMs).toBeGreaterThanOrEqual(Date.now() + 90 * dayMs);
    advance(1);
    expect((await lastUse(tenant)).client_secret).toBeUndefined();
  });

  test('at the token endpoint is noted beside the request, once an hour, and a failure of it refuses nothing', async () => {
    const { tenant, refresh: token } = await newTokens();
    const first = now();
    expect((await lastUse(tenant)).client_secret).toBe(first);
    advance(hourMs - 1);
    const refresh = () => requestRefresh(tenant, token);
    const notes = async (work: () => Promise<unknown>) =>
      (await updatesOf(work)).filter((text) => text.startsWith('SET #key_'));
    expect(await notes(refresh)).toEqual([]);
    expect((await lastUse(tenant)).client_secret).toBe(first);
    advance(1);
    const { restore } = failTable((command, _, input) =>
      command === 'UpdateItemCommand' && JSON.stringify(input).includes('SET #key_')
        ? new Error('the connection broke')
        : undefined,
    );
    try {
      expect((await refresh()).status).toBe(200);
    } finally {
      restore();
    }
    expect((await lastUse(tenant)).client_secret).toBe(first);
    expect(await notes(refresh)).toHaveLength(1);
    expect((await lastUse(tenant)).client_secret).toBe(now());
  });

  test('is not that of a token of a user, which keeps what is known', async () => {
    const { tenant, access } = await newTokens();
    const noted = await lastUse(tenant);
    advance(minuteMs);
    const { status } = await call('links.list', { headers: bearer(access) });
    expect(status).toBe(200);
    expect(await lastUse(tenant)).toEqual(noted);
    expect(Object.keys((await item(tenant)) ?? {}).filter((name) => name.startsWith('key_'))).toHaveLength(1);
    expect(Number((await item(tenant))?.ttl) * secondMs).toBeGreaterThanOrEqual(Date.now() + 90 * dayMs);
  });
});

describe('a refused request', () => {
  const use = ({ applicationId }: Credentials) => readApplicationUse(applicationId, Date.now());

  test('is noted in one more call, once a minute, and in none while the refusal is cached', async () => {
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', '1');
    const tenant = await newTenant();
    const update = expect.stringMatching(/^SET h0/);
    const note = 'SET refusedAtMs = :now';
    const refused = async () => expect((await request(tenant.apiKey)).status).toBe(429);
    await request(tenant.apiKey);
    expect(await use(tenant)).toMatchObject({ requests: 1, refusedAtMs: undefined });
    const first = Date.now();
    expect(await updatesOf(refused)).toEqual([update, note]);
    expect(await updatesOf(refused)).toEqual([]);
    expect(await use(tenant)).toMatchObject({ requests: 1, refusedAtMs: first });
    advance(secondMs);
    expect((await use(tenant)).requests).toBe(0);
    await request(tenant.apiKey);
    expect(await updatesOf(refused)).toEqual([update]);
    expect((await use(tenant)).refusedAtMs).toBe(first);
    advance(minuteMs - secondMs);
    await request(tenant.apiKey);
    expect(await updatesOf(refused)).toEqual([update, note]);
    expect((await use(tenant)).refusedAtMs).toBe(Date.now());
  });

  test('uses no key, and is refused also when the note fails', async () => {
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', '1');
    const tenant = await newTenant();
    await request(tenant.apiKey);
    const { restore } = failTable((_command, _index, input) =>
      JSON.stringify(input).includes('SET refusedAtMs') ? new Error('the connection broke') : undefined,
    );
    try {
      expect((await request(tenant.clientSecret)).status).toBe(429);
    } finally {
      restore();
    }
    expect((await lastUse(tenant)).client_secret).toBeUndefined();
    expect((await use(tenant)).refusedAtMs).toBeUndefined();
  });

  test('of anyone but an application is not noted', async () => {
    const limit = { group: 'test', max: 1, windowMs: secondMs };
    const counts = () => Promise.all([consume(limit, 'a', Date.now()), consume(limit, 'a', Date.now())]);
    expect(await updatesOf(counts)).toHaveLength(2);
  });
});
