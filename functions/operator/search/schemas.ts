import * as z from 'zod/mini';
import { described } from '../../shared/fields/described.ts';

/** An e-mail address can have this many characters, and nothing that is found is longer. */
export const maxSearchText = 254;

const applicationId = z.string();
const clientFields = { applicationId, externalId: z.string() };
const subscriptionFields = { ...clientFields, subscriptionId: z.string() };

/** A kind of record: its id, those of its owners, with which it can be retrieved, and two texts for people. */
function hit<const K extends string, O extends Record<string, z.ZodMiniString>>(kind: K, owners: O) {
  return z.object({
    kind: z.literal(kind),
    id: z.string(),
    ...owners,
    title: z.string().check(described('The name, the number or the amount of the record.')),
    summary: z
      .string()
      .check(
        described('Further facts of the record, such as its status, for people. The wording can change.'),
      ),
  });
}

export const SearchHit = z.discriminatedUnion('kind', [
  hit('application', { applicationId }),
  hit('user', {}),
  hit('client', { applicationId }),
  hit('subscription', clientFields),
  hit('invoice', subscriptionFields),
  hit('credit_note', subscriptionFields),
  hit('payment', { applicationId }),
  hit('bank_statement', { applicationId }),
  hit('plan', { applicationId }),
  hit('link', { applicationId, userId: z.string() }),
  hit('webhook', { applicationId }),
  hit('event', { applicationId }),
  hit('operator_key', {}),
]);
export type SearchHit = z.output<typeof SearchHit>;
