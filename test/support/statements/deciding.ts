/** A bank statement whose entries people decide about in the console, one after the other. */
import { call, good, newSeller } from '../call.ts';
import { cookieOf, multipartRequest, newConsoleKey, signIn } from '../samples/console.ts';
import { openInvoice } from '../samples/finance.ts';
import { browse } from '../samples/forms.ts';
import { asOperator } from '../samples/operator.ts';
import { camt, entryXml } from './bank-files.ts';
import { sendFile } from './statement-stage.ts';

/** An operator of the console, with a key of their own. */
export async function person(name: string) {
  const { keyId, secret } = await newConsoleKey(['finance'], { name });
  return { keyId, secret, headers: { cookie: cookieOf(await signIn({ key: secret })) } };
}

export type Person = Awaited<ReturnType<typeof person>>;

/** A statement whose first entry names an invoice, and whose second one names nothing; and two people. */
export async function decided() {
  const seller = await newSeller();
  const { applicationId } = seller;
  const due = await openInvoice(seller, { name: 'Ann Smith' });
  const other = await openInvoice(seller, { name: 'Bert Jones' });
  const file = camt([
    entryXml({ amount: '9.99', name: 'Ann Smith', text: due.number, date: '2026-11-01' }),
    entryXml({ amount: '5.00', name: 'Nobody', text: 'b', date: '2026-11-02' }),
    entryXml({ amount: '6.00', name: 'Nobody', text: 'c', date: '2026-11-03' }),
  ]);
  const statementId: string = (await sendFile(seller, file)).body.statement._id;
  const params = { applicationId, statementId };
  const olga = await person('Olga Operator');
  const max = await person('Max Money');
  return {
    seller,
    statementId,
    params,
    due,
    other,
    olga,
    max,
    show: async ({ headers }: Person, query = {}) =>
      (await browse('console-money.statement-show', { headers: { ...headers, accept }, params, query })).text,
    act: async ({ headers }: Person, fields: Record<string, string>) => {
      const request = await multipartRequest(headers, fields);
      return browse('console-money.statement-action', {
        ...request,
        headers: { ...request.headers, accept },
        params,
      });
    },
    entriesFor: async ({ secret }: Person) => {
      const headers = { 'x-application-id': applicationId };
      const request = await asOperator({ headers, params: { id: statementId } }, secret);
      return good(await call('statements.read', request)).entries;
    },
    confirmations: async () =>
      good(await call('operator.action-list', await asOperator({ query: { applicationId } }))).actions.filter(
        ({ action }: { action: string }) => action === 'bank_statement.confirmed',
      ),
  };
}

export const accept = 'text/html';

/** The rows of the table of notable decisions of the question. */
export const notableIn = (text: string) =>
  /<caption>Overridden matches, and decisions of other people<\/caption>.*?<\/table>/s.exec(text)?.[0] ?? '';
