import * as z from 'zod/mini';
import { EmailAddress } from '../shared/fields/email-address.ts';
import { UserId } from '../shared/fields/user-id.ts';

export const UserPath = z.object({ userId: UserId });

const oneLine = z.refine<string>(
  (text) => text.isWellFormed() && text.trim() !== '' && !/\p{Cc}/u.test(text),
  {
    message: 'must be visible text on one line',
  },
);

/** A `#` would let one account's key read as another's. */
const platform = z.string().check(
  z.minLength(1),
  z.maxLength(50),
  oneLine,
  z.refine((text) => !text.includes('#'), 'must hold no #'),
  z.meta({ description: 'Told apart without regard to case.', examples: ['YouTube'] }),
);

export const SocialAccountPath = z.object({ userId: UserId, platform });

const status = z.enum(['active', 'suspended']);

export const GivenUser = z.object({
  email: EmailAddress.check(
    z.meta({ description: 'No two users have the same.', examples: ['ann@example.com'] }),
  ),
  name: z.string().check(z.minLength(1), z.maxLength(200), oneLine),
  status,
  verified: z
    .boolean()
    .check(z.meta({ description: 'Active and verified, links may be submitted for the user.' })),
});

/** Parsed as WHATWG does, and nothing but a web page: it is shown as a link. */
function isWebPage(text: string): boolean {
  return text.isWellFormed() && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export const GivenSocialAccount = z.object({
  username: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(200),
      oneLine,
      z.meta({ description: 'Another name is another account; told apart without regard to case.' }),
    ),
  url: z.string().check(z.maxLength(2_048), z.refine(isWebPage, 'must be an absolute http or https URL')),
  verified: z.boolean(),
  verificationStatus: z.enum(['pending', 'verified', 'rejected', 'unverified']),
  isPrimary: z._default(
    z.boolean().check(z.meta({ description: 'One on a platform is: another one ceases to be.' })),
    false,
  ),
});

const time = z.iso.datetime();

export const OneUser = z.object({
  user: z.object({
    userId: z.string(),
    email: z.string(),
    name: z.optional(
      z.string().check(z.meta({ description: 'Missing, like `status`, until an operator sets it.' })),
    ),
    status: z.optional(status),
    verified: z.boolean(),
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
    verificationStatus: GivenSocialAccount.shape.verificationStatus,
    isPrimary: z.boolean(),
    createdAt: time,
    updatedAt: time,
  }),
});
