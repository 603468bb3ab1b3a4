import { asFile, camt, entryXml } from '../support/finance/bank-files.ts';
import { bearer, type createTenants, ok } from './records.ts';
import type { StackAt } from './stack.ts';

/** A bank statement that waits for its confirmation, and one that is imported: a payment of it waits for a decision. */
export async function createStatements(
  stack: StackAt,
  { offline }: Awaited<ReturnType<typeof createTenants>>,
): Promise<void> {
  const headers = bearer(offline.apiKey);
  const send = (path: string, body: object) =>
    stack.sendJson('POST', `/api/v1/bank-statements${path}`, body, headers);
  const read = async (bankId: string): Promise<string> => {
    const file = asFile(camt([entryXml({ bankId })]));
    return ok(await send('', { format: 'camt.053', file })).statement._id;
  };
  await read('READY-1');
  ok(await send(`/${await read('IMPORTED-1')}/confirm`, {}));
}
