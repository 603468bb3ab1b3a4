import * as z from 'zod/mini';
import { Time } from '../../shared/fields/described.ts';
import { nextCursorField } from '../../shared/fields/page.ts';

export const success = z.literal(true);
export const Status = z.enum(['pending', 'verified', 'rejected']);
export type Status = z.output<typeof Status>;
export const count = z.int();

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

export const nextCursor = nextCursorField();

export const OneLink = z.object({ trustLink: TrustLink });

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

export const HistoryEntry = z.object({
  event: z.enum(['submitted', 'changed', 'verified', 'rejected', 'withdrawn', 'removed']),
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
