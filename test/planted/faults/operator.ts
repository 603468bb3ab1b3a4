import type { Area } from '../fault.ts';

export const operator: Area = {
  'test/handlers/functions/operator/operator-keys.test.ts': {
    'functions/shared/auth/bearer.ts: an operator key without scopes can do everything': [
      "if (record === undefined) throw new ApiError('invalid_token');\n  return record;",
      "if (record === undefined) throw new ApiError('invalid_token');\n  return { scopes: ['admin'], ...record };",
    ],
    'functions/operator/operator-keys/store.ts: a revoked operator key stays valid': [
      "      { Delete: { Key: keys.secret('operator_key', hash) } },\n",
    ],
  },
  'test/system/lib/operator/confirmations.test.ts': {
    'lib/operator/requests.ts: a command that overwrites asks no question': [
      "if (former === 'none') return true;",
      'return former !== undefined;',
    ],
  },
  'test/system/lib/operator/keys-and-settings.test.ts': {
    'lib/operator/verbs/key-rotate.ts: a rotation revokes the former key without an answer': [
      'if (!(await session.confirm(',
      'if (!(session.yes || session.confirm(',
    ],
    'lib/operator/output.ts: a rotation whose output fails revokes the former key': [
      'error ? reject(outputFailed(error)) : resolve()',
      'outputFailed(error ?? new Error()) && resolve()',
    ],
    'lib/operator/operate.ts: a command loses a secret whose output fails': [
      'return unseen === undefined ? shown',
      'return unseen !== shown ? shown',
    ],
  },
  'test/handlers/functions/operator/mail-give-up.test.ts': {
    'functions/operator/mails/store.ts: a mail is given up while a try sends it': [
      ' AND leasedUntilMs <= :tried',
      ' AND :tried = :tried',
    ],
  },
  'test/handlers/functions/operator/search.test.ts': {
    'functions/operator/search/find-records.ts: a search finds what the scopes of the key do not cover': [
      'finders.filter(({ scope }) => allows(scopes, scope))',
      'finders.filter(({ scope }) => allows(scopes, scope) || scope !== undefined)',
    ],
  },
  'test/handlers/functions/operator/search-names.test.ts': {
    'functions/clients/store.ts: a client is not found by a changed address': [
      'keys.clientsOfAddress(input.email);',
      'keys.clientsOfAddress(`${input.externalId}@example.com`);',
    ],
  },
  'Everything that an operator changes has one record in the list of actions, which is kept for a year. A request that is refused, or changes nothing, has none.':
    {
      'functions/links/reviews/decide-review.ts: a decision on a link has no audit record': [
        '[record, ...claims]',
        'claims',
      ],
    },
  'test/handlers/functions/operator/actions.test.ts': {
    'functions/shared/table/together.ts: a write of an operator does not take its audit record along': [
      '  if (others.length === 0) return updateItem(key, guarded);',
      '  if (others.length >= 0) return updateItem(key, guarded);',
    ],
    'functions/payments/settle/reallocate.ts: a reallocation that ends half way has no audit record': [
      "base, writes, announced: ['unapplied']",
      "base, writes: () => [], announced: ['unapplied']",
    ],
  },
  'test/handlers/functions/operator/action-list.test.ts': {
    'functions/shared/lists/indexed-list.ts: the list of actions goes back further than a year': [
      'later(from ?? firstPlace, list.earliest ?? firstPlace)',
      'from ?? list.earliest ?? firstPlace',
    ],
    'functions/operator/audit/action-page.ts: the list of actions shows those of another application': [
      'wanted.every(([name, value]) => facts[name] === value)',
      "wanted.every(([name, value]) => facts[name] === value || name === 'applicationId')",
    ],
  },
  'A revoked secret stops working within 30 seconds everywhere.': {
    'functions/applications/store.ts: a revoked key of an application stays valid': [
      '      { Delete: { Key: keys.secret(kind, hash) } },\n',
    ],
  },
  'test/handlers/functions/users/users.test.ts test/handlers/orders/secrets.test.ts': {
    'functions/users/store.ts: an address of another user is taken over': [
      'ConditionExpression: `${notExists} OR userId = :userId`,',
      'ConditionExpression: `${notExists} OR userId >= :userId OR userId < :userId`,',
    ],
  },
  'An operator who changes an address ends all that was set up under the former one.': {
    'functions/users/store.ts: a changed address keeps the security stamp': [
      "...(formerEmail === undefined ? [] : ['securityStamp = :stamp']),",
      "...(formerEmail === undefined ? [] : ['formerStamp = :stamp']),",
    ],
  },
  'test/handlers/functions/users/users.test.ts test/handlers/functions/users/reset.test.ts': {
    'functions/shared/accounts/profile-write.ts: a write of a profile is not conditioned on the revision that was read':
      [
        'return `email = :currentEmail AND ${revision}`;',
        'return `email = :currentEmail AND (${revision} OR attribute_exists(pk))`;',
      ],
  },
  'test/handlers/functions/users/reset.test.ts': {
    'functions/shared/accounts/reset-store.ts: a reset leaves no audit record': [
      "      auditWrite(object, { ...authorship, action: 'user.reset', revision: nextRevision(user), reset: ended }),\n",
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
