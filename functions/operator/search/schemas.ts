import * as z from 'zod/mini';
import { described } from '../../shared/fields/described.ts';

/** An e-mail address can have this many characters, and nothing that is found is longer. */
export const maxSearchText = 254;

const applicationId = z.string();
const clientFields = { applicationId, externalId: z.string() };
const subscriptionFields = { ...clientFields, subscriptionId: z.string() };

/** A kind of record: its ids, with which it can be retrieved, and two texts for people. */
function hit<const Kind extends string, Ids extends Record<string, z.ZodMiniString>>(kind: Kind, ids: Ids) {
  return z.object({
    kind: z.literal(kind),
    ...ids,
    title: z.string().check(described('The name, the number or the amount of the record.')),
    line: z.string().check(described('Its state and its owner, for people. The wording can change.')),
  });
}

export const SearchHit = z.discriminatedUnion('kind', [
  hit('application', { applicationId }),
  hit('user', { userId: z.string() }),
  hit('client', clientFields),
  hit('subscription', subscriptionFields),
  hit('invoice', { ...subscriptionFields, invoiceId: z.string() }),
  hit('credit_note', { ...subscriptionFields, creditNoteId: z.string() }),
  hit('payment', { applicationId, paymentId: z.string() }),
  hit('bank_statement', { applicationId, statementId: z.string() }),
  hit('plan', { applicationId, planId: z.string() }),
  hit('link', { applicationId, userId: z.string(), linkId: z.string() }),
  hit('webhook', { applicationId, webhookId: z.string() }),
  hit('event', { applicationId, eventId: z.string() }),
  hit('operator_key', { keyId: z.string() }),
]);
export type SearchHit = z.output<typeof SearchHit>;
