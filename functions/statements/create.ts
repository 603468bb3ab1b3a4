import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { endpoint, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { cursorAfter } from './import/cursor.ts';
import { dryRun } from './import/dry-run.ts';
import { toEntryResponse, toStatementResponse } from './present-statement.ts';
import { defaultEntriesOfPage } from './request-schemas.ts';
import { createRoute } from './routes.ts';

type Create = Pick<Input<typeof createRoute>, 'body' | 'caller' | 'rateLimitPassed'>;

export async function createStatement({
  body: { format, file, mapping },
  caller,
  rateLimitPassed,
}: Create): Promise<Output<typeof createRoute>> {
  await rateLimitPassed;
  const { statement, entries } = await dryRun(
    caller.applicationId,
    { format, bytes: Buffer.from(file, 'base64'), mapping },
    {
      nowMs: clock.nowMs(),
      auditOf: (id) => actionWrites(caller, { action: 'bank_statement.uploaded', id }),
    },
  );
  const shown = entries.slice(0, defaultEntriesOfPage);
  return {
    statement: toStatementResponse(statement),
    entries: shown.map((entry) => toEntryResponse(entry)),
    ...defined({
      nextCursor: shown.length < entries.length ? cursorAfter(statement, undefined, shown.length) : undefined,
    }),
  };
}

export const handler = endpoint(createRoute, createStatement, sellerCaller);
