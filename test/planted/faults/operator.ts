import type { Area } from '../fault.ts';

export const operator: Area = {
  'Everything that an operator changes has one record in the list of actions, which is kept for a year. A request that is refused, or changes nothing, has none.':
    {
      'functions/links/review-decide.ts: a decision on a link has no audit record': [
        '[record, ...claims]',
        'claims',
      ],
    },
  'A revoked secret stops working within 30 seconds everywhere.': {
    'functions/applications/store.ts: a revoked key of an application stays valid': [
      '      { Delete: { Key: keys.secret(kind, hash) } },\n',
    ],
  },
  'An operator who changes an address ends all that was set up under the former one.': {
    'functions/users/store.ts: a changed address keeps the security stamp': [
      "...(formerEmail === undefined ? [] : ['securityStamp = :stamp']),",
      "...(formerEmail === undefined ? [] : ['formerStamp = :stamp']),",
    ],
  },
  'A pass, a device and a link stop counting when an operator resets the devices, or the user signs out everywhere.':
    {
      'functions/users/reset.ts: a reset of the devices leaves what verified the mailbox': [
        'const also = devices ? [sourcesRevocation(found.user.email, atMs)] : [];',
        'const also: ReturnType<typeof sourcesRevocation>[] = [];',
      ],
    },
};
