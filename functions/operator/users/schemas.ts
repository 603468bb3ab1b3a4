import * as z from 'zod/mini';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { lineField, linesField, notBlank } from '../../shared/fields/text.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { Ended } from '../audit/schemas.ts';

export const UserPath = z.object({ userId: UserId });

/** The platform is part of a key that `#` separates: with a `#` in it, two accounts could share a key. */
const platform = lineField(50).check(
  notBlank,
  z.refine((text) => !text.includes('#'), 'must hold no #'),
  z.meta({ description: 'Compared regardless of case.', examples: ['YouTube'] }),
);

export const SocialAccountPath = z.object({ userId: UserId, platform });

const status = z.enum(['active', 'suspended']);

export const UpsertUserRequest = z.object({
  email: EmailAddress.check(z.meta({ description: 'Unique among users.', examples: ['ann@example.com'] })),
  name: lineField(200).check(notBlank),
  status,
  verified: z
    .boolean()
    .check(z.meta({ description: 'Links may be submitted for users who are active and verified.' })),
});

export const SentEnrolmentLink = z.object({
  email: z.string().check(z.meta({ description: 'The address that the link was mailed to.' })),
  expiresAt: z.iso.datetime(),
});

const ends = (what: string) => z.optional(z.boolean().check(z.meta({ description: `Ends ${what}.` })));

export const ResetUserRequest = z
  .object({
    devices: ends('every trusted device, session and token of the user'),
    proof: ends(
      'the proof of the master password; the next vault write of a trusted device sets another one',
    ),
    vault: ends('the vault, which is removed for good, with its proof'),
    reason: z.optional(
      linesField(1000).check(z.minLength(1), z.meta({ description: 'Kept in the history of the user.' })),
    ),
  })
  .check(
    z.refine(
      ({ devices, proof, vault }) => [devices, proof, vault].includes(true),
      'must have at least one of devices, proof and vault with the value true',
    ),
  );

/** Whether a text is the URL of a web page. Other URLs are refused, because it is shown as a link. */
function isWebPage(text: string): boolean {
  // A URL parser drops control characters.
  return (
    text.isWellFormed() &&
    !/\p{Cc}/u.test(text) &&
    URL.canParse(text) &&
    /^https?:$/.test(new URL(text).protocol)
  );
}

export const UpsertSocialAccountRequest = z.object({
  username: lineField(200).check(
    notBlank,
    z.meta({ description: 'Identifies the account on the platform. Compared regardless of case.' }),
  ),
  url: z.string().check(z.maxLength(2_048), z.refine(isWebPage, 'must be an absolute http or https URL')),
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
    createdAt: z.optional(time),
    updatedAt: z.optional(time),
  }),
});

export const ResetUser = z.object({ user: OneUser.shape.user, reset: Ended });

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
