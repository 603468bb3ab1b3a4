import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import { directoryListing, listingAt } from '../../../functions/shared/table/listing.ts';
import type { Item } from '../../../functions/shared/table/table.ts';
import type { BankStatement } from '../../../functions/statements/import/statement.ts';
import { listedStatus } from '../../../functions/statements/import/store.ts';
import { type Call, call, putItem } from '../../support/call.ts';
import { engineFile, insertListed } from '../../support/lists/listings.ts';
import { asOperator } from '../../support/samples/operator.ts';
import { largeLists as budget } from '../budgets.ts';
import { printTable, round, verdict } from '../print.ts';
import { metered } from './meter.ts';
import { inOwnTable } from './own-table.ts';

const onPage = 50;

type RecordAt = (i: number, atMs: number) => Item;

const applicationAt: RecordAt = (i, createdAtMs) => {
  const applicationId = `app_${i}`;
  const listing = directoryListing('application', { id: applicationId, atMs: createdAtMs });
  return {
    ...keys.application(applicationId),
    ...listing,
    applicationId,
    name: 'Example App',
    redirectUris: [],
    settings: {},
    keys: {},
    createdAtMs,
  };
};

const userAt: RecordAt = (i, createdAtMs) => {
  const userId = `user-${i}`;
  const listing = directoryListing('user', { id: userId, atMs: createdAtMs });
  return { ...keys.user(userId), ...listing, userId, email: `${userId}@example.com`, createdAtMs };
};

/** One decision in a hundred is by the reviewer for whom a row asks: its page looks at some 5,000 entries. */
const decisionAt: RecordAt = (i, atMs) => {
  const link = { linkId: `lnk_${i}`, applicationId: 'app_1', userId: 'user-1', title: 'My channel' };
  const url = 'https://www.youtube.com/@ann';
  const by = { kind: 'operator', id: `key_${i % 100}`, name: `Reviewer ${i % 100}` };
  const facts = { decision: 'verified', keyId: by.id, reviewer: by.name };
  const event = { revision: 2, event: 'verified', atMs, by, before: { verificationStatus: 'pending' } };
  return {
    ...keys.history(link.linkId, 2),
    ...directoryListing('decision', { id: `${link.linkId}#2`, atMs }, facts),
    ...event,
    link: Object.assign({ url, platform: 'YouTube' }, link),
  };
};

const seller = 'app_1';

const statementAt: RecordAt = (i, createdAtMs) => {
  const statement: BankStatement = {
    statementId: `bst_${i}`,
    applicationId: seller,
    format: 'camt.053',
    status: 'imported',
    matches: { matched: 80, unknown: 20 },
    totals: { EUR: 99_900 },
    withdrawals: 3,
    notBooked: 1,
    partSizes: [100],
    decisions: {},
    decisionsVersion: 0,
    authors: {},
    partsDone: 1,
    results: { applied: 80, unapplied: 20 },
    createdAtMs,
    confirmedAtMs: createdAtMs,
    importedAtMs: createdAtMs,
  };
  const { statementId } = statement;
  const list = { applicationId: seller, kind: 'bank_statement', status: listedStatus } as const;
  const listing = listingAt(list, { id: statementId, atMs: createdAtMs }, {});
  return { ...keys.bankStatement(seller, statementId), ...statement, ...listing };
};

type Row = readonly [id: string, what: 'newest' | 'filtered', RecordAt, Pick<Call, 'headers' | 'query'>];

const lists: readonly Row[] = [
  ['applications.list', 'newest', applicationAt, {}],
  ['users.list', 'newest', userAt, {}],
  ['links.decision-list', 'newest', decisionAt, {}],
  ['links.decision-list', 'filtered', decisionAt, { query: { reviewer: 'Reviewer 7' } }],
  ['statements.list', 'newest', statementAt, { headers: { 'x-application-id': seller } }],
];

/** Reads a page of lists across applications, and of one of an application. The engine has all entries, and the items of those that a page can show. */
export async function benchLargeLists(records = 100_000): Promise<void> {
  if (engineFile === undefined) return;
  const rows = [];
  for (const list of lists) rows.push(await inOwnTable(() => figures(list, records)));
  printTable(
    `A page of ${onPage} of lists of ${records.toLocaleString('en')} records`,
    ['list', 'records', 'read units', 'budget', ''],
    rows,
  );
}

async function figures(
  [id, what, recordAt, { headers, query }]: Row,
  records: number,
): Promise<(string | number)[]> {
  const nowMs = Date.now();
  const items = Array.from({ length: records }, (_, i) => recordAt(i, nowMs - i * secondMs));
  const isShown = (i: number) => i < 2 * onPage || (i < 6_000 && i % 100 === 7);
  await insertListed(items.filter((_, i) => !isShown(i)));
  for (const item of items.filter((_, i) => isShown(i))) await putItem(item);
  // Operators name it.
  await putItem(applicationAt(1, nowMs - secondMs));
  const page = { query: { limit: String(onPage), ...query }, ...defined({ headers }) };
  const request = await asOperator(page);
  const { readUnits } = await metered(async () => {
    const { status, body } = await call(id, request);
    const shown = Object.values(body).find(Array.isArray)?.length ?? 0;
    if (status !== 200 || shown === 0) throw new Error(`${id} answered ${status} with ${shown} records`);
  });
  return [id, what, round(readUnits), budget[what], verdict(readUnits <= budget[what])];
}
