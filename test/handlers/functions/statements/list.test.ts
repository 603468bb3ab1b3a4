import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { call, good, newSeller, type Tenant } from '../../../support/call.ts';
import { camt, entryXml } from '../../../support/statements/bank-files.ts';
import { confirm, sendFile } from '../../../support/statements/statement-stage.ts';

afterEach(() => vi.useRealTimers());

const list = (seller: Tenant, query: Record<string, string> = {}, accept = 'application/json') =>
  call('statements.list', { headers: { ...seller.headers, accept }, query });

const idsOf = async (seller: Tenant, query: Record<string, string> = {}): Promise<string[]> =>
  good(await list(seller, query)).statements.map(({ _id }: { _id: string }) => _id);

async function uploaded(seller: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    vi.setSystemTime(Date.now() + 1_000);
    ids.unshift((await sendFile(seller, camt([entryXml({ amount: `${n + 1}.00` })]))).body.statement._id);
  }
  return ids;
}

test('statements are listed newest first, page by page, those of one application', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const seller = await newSeller();
  const ids = await uploaded(seller, 3);
  await uploaded(await newSeller(), 1);
  expect(await idsOf(seller)).toEqual(ids);
  const first = good(await list(seller, { limit: '2' }));
  expect(first.statements).toMatchObject([
    { _id: ids[0], status: 'ready', entries: 1, matches: { unknown: 1 }, totals: [{ amount: 3 }] },
    { _id: ids[1] },
  ]);
  // A confirmed one keeps its place.
  good(await confirm(seller, ids[2] ?? ''));
  const second = good(await list(seller, { limit: '2', cursor: first.nextCursor }));
  expect(second).toMatchObject({ statements: [{ _id: ids[2], status: 'importing' }] });
  expect(second).not.toHaveProperty('nextCursor');
});

test('a statement that has expired is not listed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const seller = await newSeller();
  const ids = await uploaded(seller, 1);
  vi.setSystemTime(Date.now() + 90 * dayMs - 1);
  expect(await idsOf(seller)).toEqual(ids);
  vi.setSystemTime(Date.now() + 1);
  expect(await idsOf(seller)).toEqual([]);
});

test('statements are rows of CSV', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const seller = await newSeller();
  const [id] = await uploaded(seller, 1);
  const { text } = await list(seller, {}, 'text/csv');
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    'id,format,status,entries,matched,suggested,unknown,duplicate,reversal,done,total,currency,createdAt,confirmedAt,importedAt',
    expect.stringMatching(new RegExp(`^${id},camt.053,ready,1,0,0,1,0,0,0,1.00,EUR,[^,]+Z,,$`)),
  ]);
});
