import * as z from 'zod/mini';
import { IdempotencyKey } from '../shared/fields/idempotency-key.ts';
import { UserId } from '../shared/fields/user-id.ts';
import { WebAddress } from '../shared/fields/web-address.ts';
import { wellFormed } from '../shared/fields/well-formed.ts';
import { Status } from './answers.ts';

/** What one request may ask for. */
export const limits = {
  /** Links of a submission. */
  batch: 50,
  /** Ids whose status is asked for. */
  ids: 100,
  platforms: 50,
  /** Links, or reviews, of a page. */
  page: 200,
} as const;

/** 50 links whose every character is written as an escape sequence. */
export const submissionMaxBytes = 1_100_000;

const line = (maxLength: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(maxLength),
    wellFormed,
    z.refine((text) => text === '' || text.trim() !== '', 'must not be blank'),
  );

const Title = line(200);
const Platform = line(50).check(z.meta({ description: 'A label, as you like it.', examples: ['YouTube'] }));
const Description = z.string().check(z.maxLength(1000), wellFormed);

export const LinkSubmission = z.object({
  title: Title,
  url: WebAddress,
  platform: Platform,
  description: z.optional(Description),
});
export type LinkSubmission = z.output<typeof LinkSubmission>;

/**
 * An array of `entries`. One that holds more than `max` is refused for that alone, by whoever handles it: what is in
 * it is not looked at, and stands as that many of `any`.
 */
function batchOf<T extends z.ZodMiniType>(
  entries: T,
  max: number,
  isEntry: (value: unknown) => boolean,
  any: z.input<T>,
) {
  return z.pipe(
    z.transform((value: unknown) =>
      Array.isArray(value) && value.length > max ? Array.from({ length: max + 1 }, () => any) : value,
    ),
    z.array(entries).check(
      z.minLength(1),
      // Beside the entry that is wrong, the field is named when an entry is of no use at all.
      z.refine<unknown[]>((values) => values.every(isEntry), {
        error: 'has an entry of the wrong type',
        when: ({ value }) => Array.isArray(value),
      }),
      z.meta({ description: `Up to ${max}.` }),
    ),
  );
}

const anyLink = { title: 'any', url: 'https://example.com/', platform: 'any' };
const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The user may be named in the header, in the query, or in the body. */
const namedInBody = { userId: z.optional(UserId) };
export const UserHeaders = z.object({ 'x-user-id': z.optional(UserId) });
export const SubmissionHeaders = z.object({
  ...UserHeaders.shape,
  'idempotency-key': z.optional(IdempotencyKey),
});
export const UserQuery = z.object({ userId: z.optional(UserId) });

export const Submission = z.object({
  links: batchOf(LinkSubmission, limits.batch, isObject, anyLink),
  limit: z.optional(
    z.int().check(
      z.gte(1),
      z.meta({
        description: `Refuse the request when it has more links than this; up to ${limits.batch}.`,
      }),
    ),
  ),
  ...namedInBody,
});

export const LinkUpdate = z
  .object({
    title: z.optional(Title),
    url: z.optional(WebAddress),
    platform: z.optional(Platform),
    description: z.optional(
      Description.check(z.meta({ description: 'Empty, it takes the description away.' })),
    ),
    ...namedInBody,
  })
  .check(
    z.refine(
      ({ userId: _, ...change }) => Object.values(change).some((value) => value !== undefined),
      'must have title, url, platform or description',
    ),
  );
/** What an update may change; what it leaves out stays. */
export interface LinkChange {
  title?: string | undefined;
  url?: string | undefined;
  platform?: string | undefined;
  description?: string | undefined;
}

export const StatusQuestion = z.object({
  linkIds: batchOf(z.string(), limits.ids, isText, 'any'),
  ...namedInBody,
});

export const AccountQuestion = z.object({
  platforms: batchOf(Platform, limits.platforms, isText, 'any'),
  ...namedInBody,
});

export const LinkPath = z.object({ id: z.string() });

const pageFields = {
  limit: z.optional(
    z.pipe(
      z.string().check(
        z.refine(
          (text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= limits.page,
          `must be an integer from 1 to ${limits.page}`,
        ),
        z.meta({ description: `1 to ${limits.page}.`, examples: ['50'] }),
      ),
      z.transform(Number),
    ),
  ),
  cursor: z.optional(
    z.string().check(z.meta({ description: 'The `nextCursor` of the page before; all else as it was.' })),
  ),
};

export const ListQuery = z.object({
  status: z.optional(Status),
  ...pageFields,
  ...UserQuery.shape,
});

export const ReviewsQuery = z.object(pageFields);

export const ReviewPath = z.object({ linkId: z.string() });

export const Decision = z.object({
  decision: z.enum(['verified', 'rejected']),
  reason: z.optional(z.string().check(z.minLength(1), z.maxLength(1000), wellFormed)),
  revision: z
    .int()
    .check(z.gte(1), z.meta({ description: 'The `revision` that was seen: decides that one, or nothing.' })),
});
