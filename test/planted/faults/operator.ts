// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of a source has placeholders.

import type { PlantedFault } from '../fault.ts';

const operator = 'test/handlers/functions/operator';
const users = 'test/handlers/functions/users';

const program = 'test/system/lib/operator';

export const faultsOfOperator: readonly PlantedFault[] = [
  {
    name: 'an operator key without scopes can do everything',
    file: 'functions/shared/auth/bearer.ts',
    find: "if (record === undefined) throw new ApiError('invalid_token');\n  return record;",
    replace:
      "if (record === undefined) throw new ApiError('invalid_token');\n  return { scopes: ['admin'], ...record };",
    caughtBy: { tests: ['test/handlers/functions/operator/operator-keys.test.ts'] },
  },
  {
    name: 'a command that overwrites asks no question',
    file: 'lib/operator/requests.ts',
    find: "if (former === 'none') return true;",
    replace: 'return former !== undefined;',
    caughtBy: { tests: [`${program}/confirmations.test.ts`] },
  },
  {
    name: 'each page of a list as CSV has its header',
    file: 'lib/operator/requests.ts',
    find: "isFirst ? page : page.slice(page.indexOf('\\n') + 1)",
    replace: 'isFirst ? page : page',
    caughtBy: { tests: [`${program}/lists.test.ts`] },
  },
  {
    name: 'a rotation revokes the former key without an answer',
    file: 'lib/operator/verbs/key-rotate.ts',
    find: 'if (!(await session.confirm(',
    replace: 'if (!(session.yes || session.confirm(',
    caughtBy: { tests: [`${program}/keys-and-settings.test.ts`] },
  },
  {
    name: 'a rotation whose output fails revokes the former key',
    file: 'lib/operator/output.ts',
    find: 'error ? reject(outputFailed(error)) : resolve()',
    replace: 'outputFailed(error ?? new Error()) && resolve()',
    caughtBy: { tests: [`${program}/keys-and-settings.test.ts`] },
  },
  {
    name: 'a command loses a secret whose output fails',
    file: 'lib/operator/operate.ts',
    find: 'return unseen === undefined ? shown',
    replace: 'return unseen !== shown ? shown',
    caughtBy: { tests: [`${program}/keys-and-settings.test.ts`] },
  },
  {
    name: 'a terminal gets the control characters of a page',
    file: 'lib/operator/output.ts',
    find: 'stream.isTTY === true ? harmless(text) : text',
    replace: 'stream.isTTY === undefined ? harmless(text) : text',
    caughtBy: { tests: [`${program}/output.test.ts`] },
  },
  {
    name: 'a setting within another one that is given is lost',
    file: 'lib/operator/verbs/application-settings.ts',
    find: 'isWithin(path, former) || isWithin(former, path)',
    replace: 'isWithin(path, former) && isWithin(former, path)',
    caughtBy: { tests: [`${program}/keys-and-settings.test.ts`] },
  },
  {
    name: 'the record of a redriven mail names no application',
    file: 'functions/operator/mails/store.ts',
    find: "action: 'mail.redriven', id, applicationId }",
    replace: "action: 'mail.redriven', id, applicationId: applicationId && undefined }",
    caughtBy: { tests: [`${operator}/mails.test.ts`] },
  },
  {
    name: 'a mail is given up while a try sends it',
    file: 'functions/operator/mails/store.ts',
    find: ' AND leasedUntilMs <= :tried',
    replace: ' AND :tried = :tried',
    caughtBy: { tests: [`${operator}/mail-give-up.test.ts`] },
  },
  {
    name: 'the record of a primary social account leaves out the former one',
    file: 'functions/users/social-account-upsert.ts',
    find: '...former, ...defined({ primaryUsernames }) }',
    replace: '...former, ...defined({ primaryUsernames: primaryUsernames && undefined }) }',
    caughtBy: { tests: [`${users}/users.test.ts`] },
  },
  {
    name: 'a refused key and an invalid value end with one code',
    file: 'lib/operator/api.ts',
    find: "[/^40[13]$/, 'refused'],",
    replace: "[/^40[13]$/, 'invalid'],",
    caughtBy: { tests: [`${program}/operate.test.ts`] },
  },
  {
    name: 'a found record of another kind is shown',
    file: 'lib/operator/verbs/find.ts',
    find: 'hits.filter((hit) => hit.kind === kind)',
    replace: 'hits.filter((hit) => hit.kind !== undefined)',
    caughtBy: { tests: [`${program}/find.test.ts`] },
  },
  {
    name: 'a search finds what the scopes of the key do not cover',
    file: 'functions/operator/search/find-records.ts',
    find: 'finders.filter(({ scope }) => allows(scopes, scope))',
    replace: 'finders.filter(({ scope }) => allows(scopes, scope) || scope !== undefined)',
    caughtBy: { tests: [`${operator}/search.test.ts`] },
  },
  {
    name: 'a search within an application finds records of others',
    file: 'functions/operator/search/find-records.ts',
    find: "wanted === undefined || !('applicationId' in hit) || hit.applicationId === wanted",
    replace: "wanted === undefined || !('applicationId' in hit) || hit.applicationId !== ''",
    caughtBy: { tests: [`${operator}/search.test.ts`] },
  },
  {
    name: 'a client is not found by a changed address',
    file: 'functions/clients/store.ts',
    find: 'keys.clientsOfAddress(input.email);',
    replace: 'keys.clientsOfAddress(`${input.externalId}@example.com`);',
    caughtBy: { tests: [`${operator}/search-names.test.ts`] },
  },
  {
    name: 'a page of the mails of a subscription begins with the last one of the page before',
    file: 'functions/operator/subscription-mail-list.ts',
    find: 'placeOf(mail) < after',
    replace: 'placeOf(mail) <= after',
    caughtBy: { tests: [`${operator}/subscription-mails.test.ts`] },
  },
  {
    name: 'a user moves in the list when they change',
    file: 'functions/users/store.ts',
    find: 'id: userId, atMs: createdAtMs }',
    replace: 'id: userId, atMs: next.updatedAtMs ?? createdAtMs }',
    caughtBy: { tests: [`${operator}/directories.test.ts`] },
  },
  {
    name: 'a decision on a link has no audit record',
    file: 'functions/links/reviews/decide-review.ts',
    find: '[record, ...claims]',
    replace: 'claims',
    caughtBy: {
      promise:
        'Everything that an operator changes has one record in the list of actions, which is kept for a year. A request that is refused, or changes nothing, has none.',
    },
  },
  {
    name: 'a write of an operator does not take its audit record along',
    file: 'functions/shared/table/together.ts',
    find: '  if (others.length === 0) return updateItem(key, guarded);',
    replace: '  if (others.length >= 0) return updateItem(key, guarded);',
    caughtBy: { tests: [`${operator}/actions.test.ts`] },
  },
  {
    name: 'a reallocation that ends half way has no audit record',
    file: 'functions/payments/settle/reallocate.ts',
    find: "base, writes, announced: ['unapplied']",
    replace: "base, writes: () => [], announced: ['unapplied']",
    caughtBy: { tests: [`${operator}/actions.test.ts`] },
  },
  {
    name: 'a mail is held after its day has come',
    file: 'functions/operator/mails/mail-status.ts',
    find: ' && entry.heldUntilMs > nowMs)',
    replace: ')',
    caughtBy: { tests: [`${operator}/subscription-mails.test.ts`] },
  },
  {
    name: 'the list of actions goes back further than a year',
    file: 'functions/shared/lists/indexed-list.ts',
    find: 'later(from ?? firstPlace, list.earliest ?? firstPlace)',
    replace: 'from ?? list.earliest ?? firstPlace',
    caughtBy: { tests: [`${operator}/action-list.test.ts`] },
  },
  {
    name: 'the list of actions leaves out its first month',
    file: 'functions/operator/audit/partitions.ts',
    find: 'last - monthNumber(from) + 1',
    replace: 'last - monthNumber(from)',
    caughtBy: { tests: [`${operator}/action-list.test.ts`] },
  },
  {
    name: 'the list of actions shows those of another application',
    file: 'functions/operator/audit/action-page.ts',
    find: 'wanted.every(([name, value]) => facts[name] === value)',
    replace: "wanted.every(([name, value]) => facts[name] === value || name === 'applicationId')",
    caughtBy: { tests: [`${operator}/action-list.test.ts`] },
  },
  {
    name: 'a changed application has no audit record',
    file: 'functions/applications/store.ts',
    find: '      ...(audit === undefined ? [] : [audit]),\n',
    replace: '',
    caughtBy: { tests: [`${operator}/operator-keys.test.ts`] },
  },
  {
    name: 'a revoked key of an application stays valid',
    file: 'functions/applications/store.ts',
    find: '      { Delete: { Key: keys.secret(kind, hash) } },\n',
    replace: '',
    caughtBy: { promise: 'A revoked secret stops working within 30 seconds everywhere.' },
  },
  {
    name: 'a revoked operator key stays valid',
    file: 'functions/operator/operator-keys/store.ts',
    find: "      { Delete: { Key: keys.secret('operator_key', hash) } },\n",
    replace: '',
    caughtBy: { tests: [`${operator}/operator-keys.test.ts`] },
  },
  {
    name: 'an address of another user is taken over',
    file: 'functions/users/store.ts',
    find: 'ConditionExpression: `${notExists} OR userId = :userId`,',
    replace: 'ConditionExpression: `${notExists} OR userId >= :userId OR userId < :userId`,',
    caughtBy: { tests: [`${users}/users.test.ts`] },
  },
  {
    name: 'a changed address keeps the security stamp',
    file: 'functions/users/store.ts',
    find: "...(formerEmail === undefined ? [] : ['securityStamp = :stamp']),",
    replace: "...(formerEmail === undefined ? [] : ['formerStamp = :stamp']),",
    caughtBy: {
      promise: 'An operator who changes an address ends all that was set up under the former one.',
    },
  },
  {
    name: 'a user whom an operator suspends has no audit record',
    file: 'functions/users/store.ts',
    find: "(['email', 'status', 'verified', 'name'] as const)",
    replace: "(['email', 'verified', 'name'] as const)",
    caughtBy: { tests: [`${operator}/operator-keys.test.ts`] },
  },
  {
    name: 'the former address of a user stays taken',
    file: 'functions/users/store.ts',
    find: 'return transactWrite([profile, claim, ...releases, ...ends, ...audits]);',
    replace: 'return transactWrite([profile, claim, ...ends, ...audits]);',
    caughtBy: { tests: [`${users}/users.test.ts`] },
  },
  {
    name: 'a write of a profile is not conditioned on the revision that was read',
    file: 'functions/shared/accounts/profile-write.ts',
    find: 'return `email = :currentEmail AND ${revision}`;',
    replace: 'return `email = :currentEmail AND (${revision} OR attribute_exists(pk))`;',
    caughtBy: { tests: [`${users}/users.test.ts`, `${users}/reset.test.ts`] },
  },
  {
    name: 'a reset of the vault leaves its further parts',
    file: 'functions/shared/accounts/reset-store.ts',
    find: '    ...parts.map((part): Write => ({ Delete: { Key: part } })),\n',
    replace: '',
    caughtBy: { tests: [`${users}/reset.test.ts`] },
  },
  {
    name: 'a reset leaves no audit record',
    file: 'functions/shared/accounts/reset-store.ts',
    find: "      auditWrite(object, { ...authorship, action: 'user.reset', revision: nextRevision(user), reset: ended }),\n",
    replace: '',
    caughtBy: { tests: [`${users}/reset.test.ts`] },
  },
  {
    name: 'a reset of the devices leaves what verified the mailbox',
    file: 'functions/users/reset.ts',
    find: 'const also = devices ? [sourcesRevocation(found.user.email, atMs)] : [];',
    replace: 'const also: ReturnType<typeof sourcesRevocation>[] = [];',
    caughtBy: {
      promise:
        'A pass, a device and a link stop counting when an operator resets the devices, or the user signs out everywhere.',
    },
  },
  {
    name: 'a sign-out everywhere leaves what verified the mailbox',
    file: 'functions/account/actions/access.ts',
    find: 'const also = [...ends, sourcesRevocation(session.email, nowMs)];',
    replace: 'const also = [...ends];',
    caughtBy: {
      promise:
        'A pass, a device and a link stop counting when an operator resets the devices, or the user signs out everywhere.',
    },
  },
];
