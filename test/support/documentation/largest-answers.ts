/** The largest answer of a route, made of the longest texts and the most elements that the schema of its response allows. */

import { fittingRecords, maxPageBytes, PageSize } from '../../../functions/shared/lambda/response-size.ts';
import { jsonSchema } from '../../../lib/openapi/schemas.ts';
import type { Schema } from '../../../lib/openapi/types.ts';

/** By the names of fields: what the requests or the stores allow, where the schema of a response sets no length. */
const byName = <T>(rows: readonly (readonly [T, string])[]): ReadonlyMap<string, T> =>
  new Map(rows.flatMap(([value, names]) => names.split(' ').map((name) => [name, value] as const)));

/** Texts that a caller sets. A control character takes the most bytes in a result. */
const lengths = byName([
  [11, 'bic'],
  [34, 'iban'],
  [45, 'ip_address from'],
  [60, 'device_name os postalCode vatId'],
  [100, 'location isp platform type city region registration bankId features kind exemption'],
  [
    140,
    'bankName accountHolder accountNumber branchCode payerName payerIban clientName rfReference applicationName',
  ],
  [200, 'title username name line1 line2 legalName failure problem'],
  [254, 'email'],
  [256, 'user_id userId externalId device_fingerprint_hash deviceId sourceId'],
  [300, 'message'],
  [500, 'text returnReason reference'],
  [1_000, 'description reason'],
  [2_048, 'redirectUris'],
  // Records of free form: an item of the table, a change in the audit records, and metadata of 4 KB.
  [66_000, 'data'],
  [40_000, 'before'],
  [700, 'metadata'],
]);

/** Texts without control characters: URLs, ids, tokens, numbers of invoices, names of events, kept answers of receivers. */
const plainLengths = byName([
  [2_048, 'url checkoutUrl billingUrl'],
  [1_200, 'nextCursor'],
  // A decision names records that exist, and its author a key whose name has no control characters.
  [128, 'decision.subscriptionId decision.invoiceId decision.paymentId decision.invoices.invoiceId'],
  [600, 'by.name'],
  [1_024, 'body'],
  [1_400_000, 'shares.open.data_blob'],
  [4_194_304, 'vault.read.data_blob'],
  [6_000, 'meta_blob'],
]);
const plainLength = 100;

/** The most elements of a list. */
const counts = byName([
  [2, 'credit warnings'],
  [5, 'candidates scopes reversedPayments'],
  [10, 'lines taxes reminderDays'],
  [
    10,
    'scopes_supported response_types_supported response_modes_supported grant_types_supported token_endpoint_auth_methods_supported revocation_endpoint_auth_methods_supported code_challenge_methods_supported',
  ],
  [16, 'application.keys'],
  [20, 'entries.split webhooks attempts redirectUris applied'],
  [50, 'links.submit.trustLinks deliveries features types'],
  [90, 'timeline.invoices timeline.creditNotes'],
  [30, 'lines.documents journal.list.records.entries journal.list.records.entries.postings'],
  [100, 'lines devices results grants mails entries rejected rates clients applications users hits'],
  [200, 'reviews'],
  [300, 'totals currencies openingBalances closingBalances'],
  [1_000, 'report.rows'],
  [1_000, 'operator-key-list.keys'],
]);

/** Lists whose pages end where their bytes do. */
const pages = byName([
  [
    maxPageBytes,
    'links.list.trustLinks links.user-link-list.trustLinks events history plans subscriptions invoices.list.invoices payments actions statements journal.list.records',
  ],
  [1_000_000, 'socialAccounts creditNotes'],
  [3_000_000, 'subscription.invoices'],
  [1_500_000, 'timeline'],
]);

/** The entry for the longest end of a path that has one. */
function entryOf<T>(entries: ReadonlyMap<string, T>, path: readonly string[]): T | undefined {
  for (let from = 0; from < path.length; from += 1) {
    const found = entries.get(path.slice(from).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function textAt(path: readonly string[], maxLength?: number): string {
  const plain = entryOf(plainLengths, path);
  if (plain !== undefined) return 'A'.repeat(plain);
  const length = maxLength ?? entryOf(lengths, path);
  return length === undefined ? 'A'.repeat(plainLength) : '\u0001'.repeat(length);
}

function listAt(path: readonly string[], { items, maxItems }: Schema): unknown[] {
  const one = largestOf(items as Schema, path);
  const pageBytes = entryOf(pages, path);
  if (pageBytes !== undefined) return fittingRecords(Array(4_000).fill(one), new PageSize(pageBytes));
  const count = maxItems ?? entryOf(counts, path);
  if (count === undefined) throw new Error(`${path.join('.')} has no largest number of elements`);
  return Array(Number(count)).fill(one);
}

function largestOf(schema: Schema, path: readonly string[]): unknown {
  const { type, properties, additionalProperties, enum: values, maxLength } = schema;
  const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  const longest = (all: readonly unknown[]) =>
    all.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
  if (options !== undefined) return longest(options.map((option) => largestOf(option, path)));
  if (values !== undefined) return longest(values as readonly unknown[]);
  if ('const' in schema) return schema.const;
  if (type === 'array') return listAt(path, schema);
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, largestOf(field as Schema, [...path, name])]),
    );
  if (type === 'object' && additionalProperties !== undefined) return { a: textAt(path) };
  if (type === 'number' || type === 'integer') return -999_999_999_999.99;
  if (type === 'boolean') return false;
  return type === 'null' ? null : textAt(path, maxLength as number | undefined);
}

/** The largest answer of a route that responds with JSON. */
export function largestAnswer(id: string, response: Parameters<typeof jsonSchema>[0]): unknown {
  return largestOf(jsonSchema(response, 'output'), id.split('.'));
}
