import * as z from 'zod/mini';

const success = z.literal(true);
const Time = z.iso.datetime();
export const Status = z.enum(['pending', 'verified', 'rejected']);
export type Status = z.output<typeof Status>;
const count = z.int();

export const TrustLink = z.object({
  _id: z.string(),
  title: z.string(),
  url: z.string().check(z.meta({ description: 'As submitted.' })),
  platform: z.string(),
  description: z.optional(z.string()),
  verificationStatus: Status,
  createdAt: Time,
  reviewedAt: z.optional(
    Time.check(z.meta({ description: 'When the link was reviewed. Absent while it is pending.' })),
  ),
});
export type TrustLink = z.output<typeof TrustLink>;

export const SubmittedLinks = z.object({ success, trustLinks: z.array(TrustLink) });

const nextCursor = z.optional(
  z.string().check(
    z.meta({
      description: 'Present when there are more items. Pass it as `cursor` to get the next page.',
    }),
  ),
);

export const LinkList = z.object({ trustLinks: z.array(TrustLink), nextCursor });

export const OneLink = z.object({ trustLink: TrustLink });

export const UpdatedLink = z.object({
  success,
  trustLink: z.object({ _id: z.string(), title: z.string(), verificationStatus: Status }),
});

export const RemovedLink = z.object({ success, deleted: z.string() });

export const LinkStatuses = z.object({
  success,
  results: z.array(
    z.object({ id: z.string(), title: z.string(), status: Status, reviewedAt: z.nullable(Time) }),
  ),
  summary: z.object({
    total: count.check(z.meta({ description: 'The number of distinct ids.' })),
    verified: count,
    pending: count,
    rejected: count,
    notFound: count,
  }),
});

export const AccountResult = z.object({
  id: z.string(),
  platform: z.string(),
  username: z.string(),
  url: z.string(),
  verified: z.boolean(),
  verificationStatus: z.string(),
  isPrimary: z.boolean(),
});
export type AccountResult = z.output<typeof AccountResult>;

export const AccountStatuses = z.object({
  success,
  results: z.array(
    z.union([AccountResult, z.object({ platform: z.string(), status: z.literal('not_found') })]),
  ),
  summary: z.object({
    total: count.check(z.meta({ description: 'The number of distinct platforms.' })),
    verified: count,
    pending: count,
    rejected: count,
    unverified: count.check(
      z.meta({ description: 'Accounts that were not checked, and platforms without an account.' }),
    ),
  }),
});

export const ReviewQueue = z.object({
  reviews: z.array(
    z.object({
      linkId: z.string(),
      applicationId: z.string(),
      userId: z.string(),
      title: z.string(),
      url: z.string(),
      platform: z.string(),
      priority: z
        .boolean()
        .check(z.meta({ description: 'Whether the link was verified before and has changed since.' })),
      submittedAt: Time.check(z.meta({ description: 'When the link entered the queue for this review.' })),
      revision: z.int(),
    }),
  ),
  nextCursor,
});

const HistoryEntry = z.object({
  event: z.enum(['submitted', 'changed', 'verified', 'rejected', 'removed']),
  revision: z.int().check(z.meta({ description: 'The revision that the event led to.' })),
  at: Time,
  by: z.object({
    kind: z.enum(['application', 'user', 'operator']),
    id: z.string().check(z.meta({ description: 'For an operator, the id of their key.' })),
    name: z.optional(
      z.string().check(z.meta({ description: 'For an operator, the person who uses the key.' })),
    ),
  }),
  reason: z.optional(z.string()),
  before: z.optional(
    z
      .record(z.string(), z.nullable(z.string()))
      .check(z.meta({ description: 'The former values of the changed fields.' })),
  ),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

export const Review = z.object({
  trustLink: z
    .nullable(TrustLink)
    .check(z.meta({ description: 'Null once the link is removed. Its history stays.' })),
  revision: z.int(),
  user: z
    .nullable(
      z.object({
        userId: z.string(),
        email: z.optional(z.string()),
        name: z.optional(z.string()),
        status: z.optional(z.string()),
        verified: z.optional(z.boolean()),
      }),
    )
    .check(z.meta({ description: 'Null when there is no record of the user.' })),
  socialAccounts: z
    .array(AccountResult)
    .check(z.meta({ description: 'As many as fit in 1 MB, in the order of their platforms.' })),
  history: z
    .array(HistoryEntry)
    .check(
      z.meta({ description: 'A page of the history, the latest events on the first page. Oldest first.' }),
    ),
  nextCursor: z.optional(
    z.string().check(
      z.meta({
        description: 'Present when there are earlier events. Pass it as `cursor` to get the page before.',
      }),
    ),
  ),
});
