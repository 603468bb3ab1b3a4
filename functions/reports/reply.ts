import type { output, ZodMiniType } from 'zod/mini';
import { Reply } from '../shared/contract/route.ts';
import { jsonReply, preferredType } from '../shared/lambda/content-negotiation.ts';
import { type Columns, csvType, toCsv } from '../shared/lists/csv.ts';

/** A report as JSON, or its rows as CSV where `Accept` prefers it. */
export function reportReply<S extends ZodMiniType, R>(
  { accept }: { accept?: string | undefined },
  schema: S,
  body: output<S>,
  { columns, rows }: { columns: Columns<R>; rows: readonly R[] },
): Reply {
  if (preferredType(accept, ['application/json', 'text/csv']) === 'application/json')
    return jsonReply(schema, body);
  return new Reply(200, {
    headers: { 'content-type': csvType, vary: 'accept' },
    body: toCsv(columns, rows),
  });
}
