import type { Call } from '../../support/call.ts';
import { call } from '../../support/call.ts';
import { asFile, camt, entryXml } from '../../support/finance/bank-files.ts';
import { financeStatementSamples } from '../../support/samples/finance-statements.ts';
import { asSeller, newSeller } from '../../support/subscriptions/requests.ts';
import { type Case, row } from './case.ts';

const sample = (id: string) => async () => (await financeStatementSamples[id]?.()) ?? {};

/** A statement of entries that nothing is known of. */
async function unknown(count: number): Promise<Call> {
  const seller = await newSeller();
  const entries = Array.from({ length: count }, (_, i) => entryXml({ bankId: `A-${i}` }));
  return { headers: asSeller(seller), body: { format: 'camt.053', file: asFile(camt(entries)) } };
}

/** A confirmed statement of one entry, as the state machine hands it over. */
async function confirmed(): Promise<Call> {
  const seller = await newSeller();
  const headers = asSeller(seller);
  const { body } = await call('finance.statement-create', { ...(await unknown(1)), headers });
  const statementId: string = body.statement._id;
  await call('finance.statement-confirm', { headers, params: { id: statementId } });
  return { body: { applicationId: seller.applicationId, statementId } };
}

export const financeStatementCases: readonly Case[] = [
  row('finance.statement-create', '1 entry', sample('finance.statement-create'), 201),
  row('finance.statement-create', '1,000 entries', () => unknown(1_000), 201),
  row('finance.statement-read', 'any', sample('finance.statement-read')),
  row('finance.statement-confirm', '1 decision', sample('finance.statement-confirm'), 202),
  row('finance.import-statement', '1 entry', confirmed),
];
