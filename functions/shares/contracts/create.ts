import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { SharePayload } from '../share.ts';

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

export const route = defineRoute({
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
