import * as z from 'zod/mini';
import { IdempotencyKey } from '../../shared/fields/idempotency-key.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { lineField, linesField, notBlank } from '../../shared/fields/text.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { WebAddress } from '../../shared/fields/web-address.ts';
import { Status } from './responses.ts';

/** Maxima of one request. */
export const limits = {
  /** Links in a submission. */
  batch: 50,
  /** Ids in a status request. */
  ids: 100,
  platforms: 50,
  /** Links or reviews in a page. */
  page: 200,
} as const;

/** 50 links of maximum length with every character written as an escape sequence. */
export const submissionMaxBytes = 1_100_000;

const Title = lineField(200).check(notBlank);
const Platform = lineField(50).check(
  notBlank,
  z.meta({ description: 'A label of your choice.', examples: ['YouTube'] }),
);
const Description = linesField(1000);

export const LinkSubmission = z.object({
  title: Title,
  url: WebAddress,
  platform: Platform,
  description: z.optional(Description),
});
export type LinkSubmission = z.output<typeof LinkSubmission>;

/**
 * An array of `entries`. The handler refuses one with more than `max` entries for its length alone: here its
 * entries are not validated, but replaced with `max + 1` copies of `placeholder`.
 */
function batchOf<T extends z.ZodMiniType>(
  entries: T,
  max: number,
  isEntry: (value: unknown) => boolean,
  placeholder: z.input<T>,
) {
  return z.pipe(
    z.transform((value: unknown) =>
      Array.isArray(value) && value.length > max ? Array.from({ length: max + 1 }, () => placeholder) : value,
    ),
    z.array(entries).check(
      z.minLength(1),
      // An entry of the wrong type is reported for the field as well as for the entry.
      z.refine<unknown[]>((values) => values.every(isEntry), {
        error: 'has an entry of the wrong type',
        when: ({ value }) => Array.isArray(value),
      }),
      z.meta({ description: `Up to ${max} entries.` }),
    ),
  );
}

const placeholderLink = { title: 'any', url: 'https://example.com/', platform: 'any' };
const isString = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A request may name the user in the header, in the query, or in the body. */
const userIdInBody = { userId: z.optional(UserId) };
export const UserHeaders = z.object({ 'x-user-id': z.optional(UserId) });
export const SubmissionHeaders = z.object({
  ...UserHeaders.shape,
  'idempotency-key': z.optional(IdempotencyKey),
});
export const UserQuery = z.object({ userId: z.optional(UserId) });

export const Submission = z.object({
  links: batchOf(LinkSubmission, limits.batch, isObject, placeholderLink),
  limit: z.optional(
    z.int().check(
      z.gte(1),
      z.meta({
        description: `Rejects a request with more links than this. At most ${limits.batch}.`,
      }),
    ),
  ),
  ...userIdInBody,
});

export const LinkUpdate = z
  .object({
    title: z.optional(Title),
    url: z.optional(WebAddress),
    platform: z.optional(Platform),
    description: z.optional(
      Description.check(z.meta({ description: 'An empty text removes the description.' })),
    ),
    ...userIdInBody,
  })
  .check(
    z.refine(
      ({ userId: _, ...change }) => Object.values(change).some((value) => value !== undefined),
      'must have title, url, platform or description',
    ),
  );
/** The fields that an update may change. An omitted field keeps its value. */
export interface LinkChange {
  title?: string | undefined;
  url?: string | undefined;
  platform?: string | undefined;
  description?: string | undefined;
}

export const StatusRequest = z.object({
  linkIds: batchOf(z.string(), limits.ids, isString, 'any'),
  ...userIdInBody,
});

export const AccountStatusRequest = z.object({
  platforms: batchOf(Platform, limits.platforms, isString, 'any'),
  ...userIdInBody,
});

export const LinkPath = z.object({ id: z.string() });

const pageFields = {
  limit: limitField(limits.page, `The maximum number of items, 1 to ${limits.page}.`),
  cursor: cursorField,
};

export const ListQuery = z.object({
  status: z.optional(Status),
  ...pageFields,
  ...UserQuery.shape,
});

export const ReviewListQuery = z.object(pageFields);

export const ReviewQuery = z.object(pageFields);
export const ReviewPath = z.object({ linkId: z.string() });

export const ReviewDecision = z.object({
  decision: z.enum(['verified', 'rejected']),
  reason: z.optional(linesField(1000).check(z.minLength(1))),
  revision: z.int().check(
    z.gte(1),
    z.meta({
      description: 'The `revision` that was reviewed. The request fails if the link has changed since.',
    }),
  ),
});
