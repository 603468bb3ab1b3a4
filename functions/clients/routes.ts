import * as z from 'zod/mini';
import {
  commonErrors,
  defineRoute,
  idempotencyErrors,
  type Routes,
  refusals,
  sellerRoute,
} from '../shared/contract/route.ts';
import { CountryCode } from '../shared/fields/country-code.ts';
import { described } from '../shared/fields/described.ts';
import { EmailAddress } from '../shared/fields/email-address.ts';
import { IdempotencyHeaders } from '../shared/fields/idempotency-key.ts';
import { postalAddress } from '../shared/fields/postal-address.ts';
import { lineField } from '../shared/fields/text.ts';
import { VatId } from '../shared/fields/vat-id.ts';
import {
  indexes,
  nextCursor,
  pageFields,
  pagesDescription,
  periodFields,
  sellerListRoute,
} from '../shared/lists/requests.ts';
import { ExternalId } from './external-id.ts';
import { ListedClient } from './list-schema.ts';
import { OneClient } from './schemas.ts';

const maxMetadataKeys = 50;

const maxMetadataBytes = 4 * 1024;

/** Fits the JSON of a client: 4 KB of metadata with every character as an escape sequence. */
const clientMaxBytes = 64 * 1024;

function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    // JSON.stringify overflows the stack at some 8,000 levels of nesting, which JSON.parse accepts. Such a
    // value is too large.
    return Number.POSITIVE_INFINITY;
  }
}

const Metadata = z.record(z.string(), z.unknown()).check(
  z.refine(
    (value) => Object.keys(value).length <= maxMetadataKeys,
    `must hold at most ${maxMetadataKeys} keys`,
  ),
  z.refine(
    (value) => jsonBytes(value) <= maxMetadataBytes,
    `must be at most ${maxMetadataBytes} bytes of JSON`,
  ),
  described('A JSON object of up to 50 keys and 4 KB. It is stored and returned unchanged.'),
);

export const NewClient = z.object({
  externalId: ExternalId,
  email: EmailAddress,
  name: z.optional(lineField(200)),
  address: z.optional(
    z
      .object(postalAddress(lineField, CountryCode))
      .check(described('The full address, for invoices. Its country decides the tax.')),
  ),
  vatId: z.optional(VatId),
  metadata: z.optional(Metadata),
});

export const upsertRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/clients',
  alsoAt: '/clients',
  ofContract: 'alsoAt',
  summary: 'Registers a client, or updates one.',
  description: [
    'Returns 201 when the client is new and 200 when it was updated.',
    'Omitted fields keep their values.',
  ].join(' '),
  ...sellerRoute,
  words: { title: 'Create or change a client', notice: 'The client is saved.' },
  headers: IdempotencyHeaders,
  body: NewClient,
  maxBodyBytes: clientMaxBytes,
  response: OneClient,
  status: 201,
  otherResponses: [{ status: 200, description: 'The client existed, and was updated.', headers: [] }],
  errors: { ...commonErrors, also: [...refusals, 'conflict', ...idempotencyErrors] },
  grants: { table: { CLIENT: ['GetItem', 'UpdateItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] } },
});

const ClientListQuery = z.object({
  ...periodFields('the first registration'),
  name: z.optional(
    z.string().check(
      z.minLength(1),
      z.maxLength(100),
      z.meta({
        description:
          'Only clients with these words, or their first letters, in the first 100 characters of their name. Case and accents do not matter. Pages can be shorter: see the description.',
        examples: ['ann re'],
      }),
    ),
  ),
  ...pageFields,
});

const ClientList = z.object({
  clients: z.array(ListedClient),
  nextCursor,
});

export const listRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/clients',
  alsoAt: '/clients',
  summary: 'Lists the clients of the application, with their credit.',
  description: `\
Clients are sorted by their first registration, newest first.

${pagesDescription}`,
  query: ClientListQuery,
  response: ClientList,
  grants: { table: { APP: ['GetItem'], CLIENT: ['BatchGetItem'] }, indexes },
});

export const routes = {
  upsert: upsertRoute,
  list: listRoute,
} satisfies Routes;
