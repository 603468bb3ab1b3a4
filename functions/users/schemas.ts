import * as z from 'zod/mini';
import { revision } from '../shared/fields/revision.ts';
import { lineField, notBlank } from '../shared/fields/text.ts';
import { UserId } from '../shared/fields/user-id.ts';
import { WebAddress } from '../shared/fields/web-address.ts';

export const UserPath = z.object({ userId: UserId });

export const status = z.enum(['active', 'suspended']);

export const UpsertSocialAccountRequest = z.object({
  username: lineField(200).check(
    notBlank,
    z.meta({ description: 'Identifies the account on the platform. Compared regardless of case.' }),
  ),
  url: WebAddress,
  verified: z.boolean(),
  verificationStatus: z.enum(['pending', 'verified', 'rejected', 'unverified']),
  isPrimary: z._default(
    z.boolean().check(
      z.meta({
        description: 'Whether this is the primary account on the platform. The former one becomes secondary.',
      }),
    ),
    false,
  ),
});

const time = z.iso.datetime();

export const OneUser = z.object({
  user: z.object({
    userId: z.string(),
    email: z.string(),
    name: z.optional(
      z.string().check(z.meta({ description: 'Absent, like `status`, until an operator sets it.' })),
    ),
    status: z.optional(status),
    verified: z.boolean(),
    revision,
    createdAt: z.optional(time),
    updatedAt: z.optional(time),
  }),
});

export const OneSocialAccount = z.object({
  socialAccount: z.object({
    id: z.string(),
    platform: z.string(),
    username: z.string(),
    url: z.string(),
    verified: z.boolean(),
    verificationStatus: UpsertSocialAccountRequest.shape.verificationStatus,
    isPrimary: z.boolean(),
    createdAt: time,
    updatedAt: time,
  }),
});
