import * as z from 'zod/mini';

const done = z.literal(true);
const Time = z.iso.datetime();
export const Status = z.enum(['pending', 'verified', 'rejected']);
export type Status = z.output<typeof Status>;
const count = z.int();

export const TrustLink = z.object({
  _id: z.string(),
  title: z.string(),
  url: z.string().check(z.meta({ description: 'As it was submitted.' })),
  platform: z.string(),
  description: z.optional(z.string()),
  verificationStatus: Status,
  createdAt: Time,
  reviewedAt: z.optional(Time.check(z.meta({ description: 'Once reviewed; not while pending.' }))),
});
export type TrustLink = z.output<typeof TrustLink>;

export const SubmittedLinks = z.object({ success: done, trustLinks: z.array(TrustLink) });

const nextCursor = z.optional(
  z.string().check(z.meta({ description: 'There is more: ask again with it as `cursor`.' })),
);

export const LinkList = z.object({ trustLinks: z.array(TrustLink), nextCursor });

export const OneLink = z.object({ trustLink: TrustLink });

export const UpdatedLink = z.object({
  success: done,
  trustLink: z.object({ _id: z.string(), title: z.string(), verificationStatus: Status }),
});

export const RemovedLink = z.object({ success: done, deleted: z.string() });

export const LinkStatuses = z.object({
  success: done,
  results: z.array(
    z.object({ id: z.string(), title: z.string(), status: Status, reviewedAt: z.nullable(Time) }),
  ),
  summary: z.object({
    total: count.check(z.meta({ description: 'Distinct ids.' })),
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
  success: done,
  results: z.array(
    z.union([AccountResult, z.object({ platform: z.string(), status: z.literal('not_found') })]),
  ),
  summary: z.object({
    total: count.check(z.meta({ description: 'Distinct platforms.' })),
    verified: count,
    pending: count,
    rejected: count,
    unverified: count.check(z.meta({ description: 'Accounts that nobody checked, and those not found.' })),
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
      priority: z.boolean().check(z.meta({ description: 'It was verified, and was changed since.' })),
      submittedAt: Time.check(z.meta({ description: 'Since when it waits for this review.' })),
      revision: z.int(),
    }),
  ),
  nextCursor,
});

const HistoryEntry = z.object({
  event: z.enum(['submitted', 'changed', 'verified', 'rejected', 'removed']),
  revision: z.int().check(z.meta({ description: 'The one it led to.' })),
  at: Time,
  by: z.object({
    kind: z.enum(['application', 'user', 'operator']),
    id: z.string().check(z.meta({ description: 'Of an operator, the id of his key.' })),
  }),
  reason: z.optional(z.string()),
  before: z.optional(
    z
      .record(z.string(), z.nullable(z.string()))
      .check(z.meta({ description: 'What it changed, as it was before.' })),
  ),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

export const Review = z.object({
  trustLink: z
    .nullable(TrustLink)
    .check(z.meta({ description: 'Null once the link was removed: its history stays.' })),
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
  socialAccounts: z.array(AccountResult),
  history: z.array(HistoryEntry).check(z.meta({ description: 'Oldest first.' })),
});
