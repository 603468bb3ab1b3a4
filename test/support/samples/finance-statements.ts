import { type Call, call, newSeller, type Tenant } from '../call.ts';
import { asFile, camt, entryXml } from '../statements/bank-files.ts';

/** A statement with one credit and one withdrawal. */
const goodStatement = () => ({
  format: 'camt.053',
  file: asFile(camt([entryXml({ bankId: 'A-1' }), entryXml({ indicator: 'DBIT' })])),
});

/** A call for a statement of a new application. */
async function forStatement(more: Pick<Call, 'body'> = {}): Promise<Call> {
  const seller: Tenant = await newSeller();
  const headers = seller.headers;
  const { status, body, text } = await call('statements.create', { headers, body: goodStatement() });
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return { headers, params: { id: body.statement._id }, ...more };
}

export const financeStatementSamples: Record<string, () => Call | Promise<Call>> = {
  'statements.create': async () => ({ headers: (await newSeller()).headers, body: goodStatement() }),
  'statements.list': () => forStatement(),
  'statements.read': () => forStatement(),
  'statements.confirm': () => forStatement({ body: { entries: [{ entryId: '1', skip: true }] } }),
};
