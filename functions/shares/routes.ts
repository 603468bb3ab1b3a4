import * as z from 'zod/mini';
import {
  htmlType,
  notModified,
  pageHeaders,
  storedHeaders,
  yearSeconds,
} from '../shared/contract/headers.ts';
import { type ByteLimit, defineRoute, type Routes, unlimitedErrors } from '../shared/contract/route.ts';
import { ConditionalHeaders } from '../shared/fields/conditional-headers.ts';
import { minuteMs } from '../shared/runtime/clock.ts';
import { Receipt, ReceiptHeaders, SharePayload, ShareQuery } from './share.ts';

/** Shared by receipts and burns: a page that shows a receipt reads it now and then. */
const receiptLimit = { group: 'share-receipt', max: 60, windowMs: minuteMs } as const;

/** The page has one content, at the address of every share and at its own. */
const pageRoute = {
  auth: 'none',
  response: z.string(),
  produces: htmlType,
  responseHeaders: pageHeaders,
  errorPages: true,
  errors: unlimitedErrors,
  grants: { files: ['share-page.js', 'vouchsafe-client.json'] },
} as const;

/** Fits the largest Base64 fields and the JSON around them. */
const shareBodyMaxBytes = 1_500_000;

const CreatedShare = z.object({
  success: z.literal(true),
  shareId: z.string().check(z.meta({ description: 'Opaque, with 128 random bits.' })),
  expiresAt: z.iso.datetime(),
  receiptToken: z.optional(
    z.string().check(
      z.meta({
        description:
          'Only with `receipt`. Anyone with the token can read the receipt of the share and burn the share. It is returned once.',
        examples: ['vsr_8Jm2kQ0fT5xWc1hVnRbL4A'],
      }),
    ),
  ),
});

export const createRoute = defineRoute({
  method: 'POST',
  path: '/api/share',
  ofContract: 'path',
  summary: 'Stores a secret that the client has encrypted, to be opened with a link.',
  description: [
    'The server never sees the key. Put it in the fragment of the link that you send:',
    '`<share_page_url>/<shareId>#<key>`. The page `/s` of this API opens such links.',
    '',
    'The first read of a one-time share deletes it. Let the page behind the link ask for confirmation before it calls',
    'GET /api/share. Otherwise link previews consume the secret.',
    '',
    'With an `access_proof` a share opens only for callers who prove that they have the key of the link, and the passphrase',
    'if there is one. Derive the share proof from them, and send its SHA-256 here. The client library does so.',
    '',
    'With `receipt` the response has a `receiptToken`. With this token, GET /api/share/receipt returns whether the share was',
    'opened, and DELETE /api/share burns the share.',
  ].join('\n'),
  auth: 'none',
  limit: { group: 'share-create', max: 5, windowMs: minuteMs },
  // A share of 1 MiB costs 0.00145 dollars to store: at this rate 392 dollars an hour.
  throttle: { ratePerSecond: 75, burst: 150 },
  body: SharePayload,
  maxBodyBytes: shareBodyMaxBytes,
  response: CreatedShare,
  errors: { invalid: 'share_invalid', limited: 'share_limited', failed: 'share_create_failed' },
  cors: true,
  grants: { table: { SHARE: ['PutItem'] } },
});

/** The bytes that one address may receive. Each open counts at least `minCountedBytes`, so that requests are bounded as well. */
export const shareByteLimit = {
  group: 'share-bytes',
  maxBytes: 500_000_000,
  counted: 'responses to one client address',
} as const satisfies ByteLimit;

const OpenHeaders = z.object({
  'x-share-proof': z.optional(
    z.string().check(
      z.meta({
        description:
          'The share proof, 22 to 128 characters of base64url, for a share with an `access_proof`. Other shares ignore it.',
        examples: ['kJ8xw0mWm0iWv0Zl7m3a1qvI0c2b8VZ5n0Jr2m5tX1E'],
      }),
    ),
  ),
});

const OpenedShare = z.object({
  data_blob: z.string(),
  meta_blob: z.nullable(z.string()),
  iv: z.string(),
  created_at: z.iso.datetime(),
});

export const openRoute = defineRoute({
  method: 'GET',
  path: '/api/share',
  ofContract: 'path',
  isUnsafe: true,
  summary: 'Opens a share. A one-time share is deleted.',
  description: [
    'Unknown, expired and already opened one-time shares all get the same 404 response.',
    '',
    'Each request counts at least 16 KiB of the bytes that an address may receive. A one-time share that is refused for',
    'them (429) is not opened: it can still be opened once.',
    '',
    'A share with an `access_proof` answers 403 to a missing or wrong share proof, and is not opened. After 30 wrong ones',
    'in an hour of UTC the share answers 429 until the hour ends, even to the right one, so that a passphrase cannot be',
    'guessed. A missing share proof does not count.',
  ].join('\n'),
  auth: 'none',
  byteLimit: shareByteLimit,
  // Opening a one-time share of 1 MiB costs 0.00077 dollars: at this rate 386 dollars an hour.
  throttle: { ratePerSecond: 140, burst: 280 },
  headers: OpenHeaders,
  query: ShareQuery,
  response: OpenedShare,
  errors: {
    invalid: 'share_missing_id',
    limited: 'share_limited',
    failed: 'share_read_failed',
    also: ['share_gone', 'share_proof_wrong'],
  },
  cors: true,
  // The head of a share is never deleted: without its payload it stays until it expires.
  grants: { table: { SHARE: ['GetItem', 'UpdateItem'], 'SHARE#*': ['DeleteItem'] } },
});

export const receiptRoute = defineRoute({
  method: 'GET',
  path: '/api/share/receipt',
  operationId: 'getShareReceipt',
  summary: 'Returns the receipt of a share: whether, when and how often it was opened.',
  description: [
    'Only a share that was created with `receipt` has one, until 30 days after the share expires. Reading it opens nothing. A',
    'wrong token, a share without a receipt and an unknown id get the same 404 response.',
  ].join('\n'),
  auth: 'none',
  limit: receiptLimit,
  concurrentRateLimit: true,
  headers: ReceiptHeaders,
  query: ShareQuery,
  response: Receipt,
  errors: {
    invalid: 'share_missing_id',
    limited: 'share_limited',
    failed: 'share_read_failed',
    also: ['share_gone'],
  },
  cors: true,
  grants: { table: { SHARE: ['GetItem'] } },
});

export const burnRoute = defineRoute({
  method: 'DELETE',
  path: '/api/share',
  summary: 'Burns a share, so that nobody can open it, and returns its receipt.',
  description: [
    'The ciphertext is deleted before the response. Only a share that was created with `receipt` can be burned. A concurrent',
    'reader either opens the share or finds it burned.',
    '',
    'A share without views left, or an expired one, keeps its status. A repeated request changes nothing.',
  ].join('\n'),
  auth: 'none',
  limit: receiptLimit,
  // Burning a share of 1 MiB costs 0.00073 dollars: at this rate 370 dollars an hour.
  throttle: { ratePerSecond: 140, burst: 280 },
  headers: ReceiptHeaders,
  query: ShareQuery,
  response: Receipt,
  errors: {
    invalid: 'share_missing_id',
    limited: 'share_limited',
    failed: 'share_burn_failed',
    also: ['share_gone'],
  },
  cors: true,
  grants: { table: { SHARE: ['UpdateItem'], 'SHARE#*': ['DeleteItem'] } },
});

export const createPageRoute = defineRoute({
  method: 'GET',
  path: '/s',
  operationId: 'showSharePage',
  summary: 'Returns the page on which people create and open shares.',
  description: [
    'The page is the same for every share and every link, and requests nothing about a share before a click. Link',
    'previews and scanners of mail therefore open nothing. Encryption happens in the browser.',
  ].join('\n'),
  ...pageRoute,
});

/** Any text: the page is the same for every id, and so is the response to an id that cannot exist. */
const PageParams = z.object({
  shareId: z.string().check(z.describe('The `shareId` of a share.')),
});

export const openPageRoute = defineRoute({
  method: 'GET',
  path: '/s/{shareId}',
  operationId: 'openSharePage',
  summary: 'Returns the same page, at the address of a share.',
  description: [
    'The link of a share is this address and, in the fragment, the key. Browsers do not send the fragment. The id is',
    'not looked up: the page of an unknown share is the same, to the byte.',
  ].join('\n'),
  params: PageParams,
  ...pageRoute,
});

const AssetParams = z.object({
  file: z
    .string()
    .check(z.describe('The name of the script, as the page has it, or of the package for clients.')),
});

/** Each visitor needs one script, and a cache keeps it: 50 a second are 180,000 visitors an hour. */
const scriptThrottle = { ratePerSecond: 50, burst: 100 };

export const pageScriptRoute = defineRoute({
  method: 'GET',
  path: '/assets/{file}',
  operationId: 'getAsset',
  summary: 'Returns the script of the share page, or the package for clients.',
  description: [
    'The name has the hash of the content, so caches may store it for a year.',
    '',
    'While two versions are deployed, the function of one can be asked for the script of the other. It responds with its',
    'own script, because a page without a script would be empty.',
    '',
    '`vouchsafe-client-<version>.tgz` is the package for clients, with its command-line program: `npx <this address>` runs it.',
    '`Unencoded-Digest` has its hash. It is a tar archive without compression of its own.',
  ].join('\n'),
  auth: 'none',
  throttle: scriptThrottle,
  params: AssetParams,
  headers: ConditionalHeaders,
  response: z.string(),
  produces: 'text/javascript; charset=utf-8',
  cacheSeconds: yearSeconds,
  responseHeaders: storedHeaders,
  otherResponses: [
    notModified(),
    {
      status: 200,
      description: 'The name of another version gets this script too, with `Cache-Control: no-store`.',
      headers: [...storedHeaders, 'cache-control'],
    },
    {
      status: 200,
      description: 'The package for clients, with `Cache-Control: no-store`.',
      mediaType: 'application/x-tar',
      headers: [...storedHeaders, 'cache-control', 'unencoded-digest'],
    },
  ],
  errors: { ...unlimitedErrors, also: ['not_found'] },
  grants: { files: ['share-page.js', 'vouchsafe-client.json', 'vouchsafe-client.tar'] },
});

export const routes = {
  create: createRoute,
  open: openRoute,
  receipt: receiptRoute,
  burn: burnRoute,
  'create-page': createPageRoute,
  'open-page': openPageRoute,
  'page-script': pageScriptRoute,
} satisfies Routes;
