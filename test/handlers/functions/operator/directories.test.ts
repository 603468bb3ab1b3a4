import { randomInt, randomUUID } from 'node:crypto';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { call, good, newUser } from '../../../support/call.ts';
import { pagesOf } from '../../../support/lists/pages.ts';
import { asOperator, newApplication, profile } from '../../../support/samples/operator.ts';

// A day of a far year that no other test uses: the table is shared.
let dayStartMs: number;
beforeEach(() => {
  dayStartMs = Date.UTC(2200, 0, 1) + randomInt(500_000) * dayMs;
  vi.useFakeTimers({ toFake: ['Date'], now: dayStartMs });
});
const later = (ms = 1) => vi.setSystemTime(Date.now() + ms);

/** All pages of a list of the day, of two records each. */
async function recordsOf(id: string, name: string): Promise<Record<string, unknown>[][]> {
  const day = new Date(dayStartMs).toISOString().slice(0, 10);
  const pages = await pagesOf(async (place) =>
    call(id, await asOperator({ query: { from: day, to: day, limit: '2', ...place } })),
  );
  return pages.map((page) => page[name]);
}

const createApplication = async (name: string) => {
  const body = Object.assign({}, newApplication, { name });
  const { application } = good(await call('applications.create', await asOperator({ body })));
  later();
  return application;
};

const putUser = async (userId: string, body: object) =>
  good(await call('users.upsert', await asOperator({ params: { userId }, body }))).user;

test('the list of applications has each application once, newest first, under its present name', async () => {
  const made = [];
  for (const name of ['A', 'B', 'C', 'D', 'E']) made.push(await createApplication(name));
  const [{ _id: id }] = made;
  good(await call('applications.update', await asOperator({ params: { id }, body: { name: 'Anew' } })));
  const pages = await recordsOf('applications.list', 'applications');
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(
    made
      .toReversed()
      .map(({ _id, name, createdAt }) => ({ _id, name: _id === id ? 'Anew' : name, createdAt })),
  );
});

describe('the list of users', () => {
  test('has each user once, newest first, at the place of their creation when they change', async () => {
    const made: { userId: string }[] = [];
    for (let i = 0; i < 5; i += 1) {
      made.push(await putUser(`user-${randomUUID()}`, profile()));
      later();
    }
    const [first] = made;
    const userId = first?.userId ?? '';
    const changed = await putUser(userId, Object.assign({}, profile(), { name: 'Anna' }));
    const pages = await recordsOf('users.list', 'users');
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual([...made.slice(1).toReversed(), changed]);
  });

  test('has a user who verified a device once an operator enters them', async () => {
    const { userId, email } = await newUser();
    expect(await recordsOf('users.list', 'users')).toEqual([[]]);
    const entered = await putUser(userId, Object.assign({}, profile(), { email }));
    expect(await recordsOf('users.list', 'users')).toEqual([[entered]]);
  });
});

describe('the lists of operators as CSV', () => {
  /** All pages of a list of the day, of one record each: each page leads to the next one. */
  async function csvOf(id: string): Promise<string[]> {
    const day = new Date(dayStartMs).toISOString().slice(0, 10);
    const pages: string[] = [];
    let query: Record<string, string> | undefined = { from: day, to: day, limit: '1' };
    while (query !== undefined) {
      const { headers: key } = await asOperator({});
      const { status, headers, text } = await call(id, { headers: { ...key, accept: 'text/csv' }, query });
      expect([status, headers['content-type'], headers.vary]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
        'accept',
      ]);
      pages.push(text);
      const [, next] = /^<(.+)>; rel="next"$/.exec(headers.link ?? '') ?? [];
      query = next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams);
    }
    return pages;
  }

  test('have a name that a spreadsheet would run as text', async () => {
    const made = [await createApplication('=1+1'), await createApplication('a,"b"')];
    expect(await csvOf('applications.list')).toEqual([
      `id,name,createdAt\r\n${made[1]._id},"a,""b""",${made[1].createdAt}\r\n`,
      `id,name,createdAt\r\n${made[0]._id},'=1+1,${made[0].createdAt}\r\n`,
    ]);
  });

  test('have each user on a page once', async () => {
    const first = await putUser(`user-${randomUUID()}`, profile());
    later();
    const second = await putUser(`user-${randomUUID()}`, Object.assign({}, profile(), { name: '@Anna' }));
    const header = 'userId,email,name,status,verified,createdAt,updatedAt';
    const row = ({ userId, email, status, verified, createdAt, updatedAt }: typeof first, name: string) =>
      `${header}\r\n${[userId, email, name, status, verified, createdAt, updatedAt].join(',')}\r\n`;
    expect(await csvOf('users.list')).toEqual([row(second, "'@Anna"), row(first, first.name)]);
  });
});
