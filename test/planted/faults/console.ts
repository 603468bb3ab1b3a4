import type { PlantedFault } from '../fault.ts';

const store = 'functions/console/session/session-store.ts';
const claims = 'functions/links/reviews/claim-store.ts';
const handler = 'functions/console/session/console-endpoint.ts';
const actions = 'functions/console/customers/actions.ts';
const once =
  'A form of the console changes a subscription that is as its page showed it, once, and with a record of the operator.';
const foreign = 'The console shows and changes a subscription as one of its own application alone.';

export const faultsOfConsole: readonly PlantedFault[] = [
  {
    name: 'a session of the console outlives its eight hours',
    file: store,
    find: 'isUnexpired(session, nowMs) && isUnexpired(key, nowMs)',
    replace: 'isUnexpired(key, nowMs)',
    caughtBy: {
      promise: 'A session of the console ends with its key, at the next request, and after eight hours.',
    },
  },
  {
    name: 'a session of the console outlives the expiry of its key',
    file: store,
    find: 'isUnexpired(session, nowMs) && isUnexpired(key, nowMs)',
    replace: 'isUnexpired(session, nowMs)',
    caughtBy: {
      promise: 'A session of the console ends with its key, at the next request, and after eight hours.',
    },
  },
  {
    name: 'an expired key signs in to the console',
    file: store,
    find: 'key === undefined || !isUnexpired(key, nowMs)',
    replace: 'key === undefined',
    caughtBy: {
      promise: 'The sign-in tells wrong, expired and revoked keys apart for nobody, and is limited.',
    },
  },
  {
    name: 'a form of the console needs no token',
    file: handler,
    find: "!isFormTokenValid(token, textOf(input.body, 'form'))",
    replace: "textOf(input.body, 'form') === undefined",
    caughtBy: { promise: 'A form of another site or of another session does nothing.' },
  },
  {
    name: 'a page of the console needs no scope',
    file: handler,
    find: "scope !== 'any' && !allows(visit.scopes, scope)",
    replace: "scope !== 'any' && visit.scopes.length === 0",
    caughtBy: { promise: 'A scope that was taken away is gone at the next request.' },
  },
  {
    name: 'a link from elsewhere makes the console show a notice',
    file: 'functions/console/session/session.ts',
    find: 'isEqualInConstantTime(proofOf(token, kind, text), tag.slice(0, proofLength)) ? text : undefined',
    replace: 'proofOf(token, kind, text) === tag ? undefined : text',
    caughtBy: { promise: 'A link from elsewhere makes no page of the console say something.' },
  },
  {
    name: 'the sign-in of the console takes the path of another site',
    file: 'functions/console/pages/path.ts',
    find: 'url?.origin !== base || unfit.has(url.pathname)',
    replace: 'url === undefined || url === null || unfit.has(url.pathname)',
    caughtBy: { promise: 'The sign-in leads to pages of the console alone.' },
  },
  {
    name: 'the audit page is there for every operator',
    file: 'functions/console/audit.ts',
    find: "consoleEndpoint(route, 'admin', showAudit)",
    replace: "consoleEndpoint(route, 'any', showAudit)",
    caughtBy: { tests: ['test/handlers/functions/console/audit.test.ts'] },
  },
  {
    name: 'an action of the console has no record',
    file: 'functions/console-money/apply.ts',
    find: "by: 'application', audit }",
    replace: "by: 'application', audit: audit.slice(1) }",
    caughtBy: { tests: ['test/handlers/functions/console-money/money.test.ts'] },
  },
  {
    name: 'a statement is confirmed with decisions that its page did not show',
    file: 'functions/console-money/statement-action.ts',
    find: 'statement.decisionsVersion !== version',
    replace: 'Number.isNaN(version)',
    caughtBy: { tests: ['test/handlers/functions/console-money/statements.test.ts'] },
  },
  {
    name: 'decisions about a statement are kept over those of another person',
    file: 'functions/statements/import/store.ts',
    find: 'OR decisionsVersion = :version)',
    replace: 'OR decisionsVersion >= :version)',
    caughtBy: { tests: ['test/handlers/functions/console-money/statements.test.ts'] },
  },
  {
    name: 'a form with files takes a field twice',
    file: 'functions/shared/contract/form-route.ts',
    find: 'if (repeated.length > 0)',
    replace: 'if (repeated.length > 9)',
    caughtBy: { tests: ['test/handlers/functions/shared/lambda/multipart.test.ts'] },
  },
  {
    name: 'a statement that has expired is listed',
    file: 'functions/statements/import/statement-page.ts',
    find: 'nowMs - statementRetentionMs + 1',
    replace: 'nowMs - 2 * statementRetentionMs',
    caughtBy: { tests: ['test/handlers/functions/statements/list.test.ts'] },
  },
  {
    name: 'a file for the books is cut off',
    file: 'functions/console-money/files.ts',
    find: 'if (isWhole) return',
    replace: 'if (isWhole || records.length > 0) return',
    caughtBy: { tests: ['test/handlers/functions/console-money/money.test.ts'] },
  },
  {
    name: 'a payment that waits is proposed the invoices of other clients',
    file: 'functions/statements/import/waiting.ts',
    find: 'externalId === payment.externalId && currency',
    replace: 'externalId !== payment.externalId && currency',
    caughtBy: { tests: ['test/handlers/functions/console-money/money.test.ts'] },
  },
  {
    name: 'the file of the audit page ends with its first page',
    file: 'functions/shared/lists/records-of-file.ts',
    find: 'if (nextCursor === undefined) return',
    replace: 'if (nextCursor !== start) return',
    caughtBy: { tests: ['test/handlers/functions/console/audit.test.ts'] },
  },
  {
    name: 'the sign-in of the console keeps the session of the browser',
    file: 'functions/console/sign-in-submit.ts',
    find: 'if (former !== undefined) await',
    replace: "if (former === '') await",
    caughtBy: { promise: 'A planted cookie never becomes a session, and a session of another page is none.' },
  },
  {
    name: 'a reviewer claims a link that another one reads',
    file: claims,
    find: ' OR keyId = :from`,',
    replace: ' OR keyId = :from OR keyId <> :from`,',
    caughtBy: { promise: 'Two reviewers do not read one link at the same time.' },
  },
  {
    name: 'a claim never ends',
    file: claims,
    find: 'attribute_not_exists(pk) OR untilMs <= :now OR keyId = :own',
    replace: 'attribute_not_exists(pk) OR (untilMs <= :now AND keyId = :own) OR keyId = :own',
    caughtBy: { promise: 'Two reviewers do not read one link at the same time.' },
  },
  {
    name: 'the next link is one that another reviewer has',
    file: 'functions/links/reviews/claim-next.ts',
    find: 'if (!isTaken(await claimStore.claim(linkId, operator, nowMs), operator)) return linkId;',
    replace: 'if ((await claimStore.claim(linkId, operator, nowMs)) !== undefined) return linkId;',
    caughtBy: { promise: 'Two reviewers do not read one link at the same time.' },
  },
  {
    name: 'a reviewer decides on a link that another one has taken over',
    file: 'functions/console/review-submit.ts',
    find: 'decideReview(link, decision, operator, nowMs, claims)',
    replace: 'decideReview(link, decision, operator, nowMs)',
    caughtBy: {
      promise:
        'A decision of the console is made at the revision that its page showed, by the one who has the link, once.',
    },
  },
  {
    name: 'a decision of the console is made at any revision',
    file: 'functions/console/review-submit.ts',
    find: "link === undefined ? 'conflict' : await decideReview(link, decision,",
    replace:
      "link === undefined ? 'conflict' : await decideReview(link, { ...decision, revision: link.revision },",
    caughtBy: {
      promise:
        'A decision of the console is made at the revision that its page showed, by the one who has the link, once.',
    },
  },
  {
    name: 'a decision that is sent again does not continue',
    file: 'functions/console/review-submit.ts',
    find: 'last?.event === decision && last.revision === revision + 1',
    replace: 'last?.event === decision && last.revision === revision',
    caughtBy: { tests: ['test/handlers/functions/console/reviews.test.ts'] },
  },
  {
    name: 'the difference of a link shows its last former values',
    file: 'functions/links/reviews/changes.ts',
    find: '      .toReversed()\n',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/console/reviews.test.ts'] },
  },
  {
    name: 'a form of the console changes a subscription that another change came before',
    file: actions,
    find: 'subscription.revision !== form.revision',
    replace: 'subscription.revision < form.revision',
    caughtBy: { promise: once },
  },
  {
    name: 'a cancellation in the console leaves no record',
    file: actions,
    find: 'reason, audit: changeAudit(operator, current, { reason, before }) };',
    replace: 'reason };',
    caughtBy: { promise: once },
  },
  {
    name: 'two clicks in the console issue two credit notes',
    file: actions,
    find: 'request: idempotentRequest(',
    replace: 'request: undefined && idempotentRequest(',
    caughtBy: { promise: once },
  },
  {
    name: 'the console credits an invoice that was changed since its page was shown',
    file: actions,
    find: 'read.subscriptionId === subscriptionId && String(read.eventCount) === eventCount',
    replace: 'read.subscriptionId === subscriptionId || String(read.eventCount) === eventCount',
    caughtBy: { promise: once },
  },
  {
    name: 'the link to the billing page is mailed from the console without a record',
    file: 'functions/portal/pages/store.ts',
    find: 'return transactWrite([outboxWrite(entry), record]);',
    replace: 'return transactWrite([outboxWrite(entry)]);',
    caughtBy: { promise: once },
  },
  {
    name: 'the console reports a link that the application replaced as mailed',
    file: actions,
    find: "if (mail === undefined) throw new ApiError('conflict');",
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/console/customers.test.ts'] },
  },
  {
    name: 'the console shows the mails and events of a subscription to every scope',
    file: 'functions/console/customers/read-customer.ts',
    find: 'allows(scopes, messageScope) ? messagesOf',
    replace: 'allows([messageScope, ...scopes], messageScope) ? messagesOf',
    caughtBy: { tests: ['test/handlers/functions/console/customers.test.ts'] },
  },
  {
    name: 'a subscription lists the events of the other one that its change ends',
    file: 'functions/shared/events/events-write.ts',
    find: 'Map.groupBy(events, ({ subscriptionId }) => subscriptionId)',
    replace: 'Map.groupBy(events, () => events[0]?.subscriptionId)',
    caughtBy: { tests: ['test/handlers/functions/console/customer-events.test.ts'] },
  },
  {
    name: 'the console shows events that are no longer kept',
    file: 'functions/webhooks/events/store.ts',
    find: 'return groups.filter((group) => !haveExpired(group, nowMs));',
    replace: 'return groups;',
    caughtBy: { tests: ['test/handlers/functions/console/customer-events.test.ts'] },
  },
  {
    name: 'the console shows the subscription of another application',
    file: 'functions/console/customers/read-customer.ts',
    find: 'details?.owner.applicationId !== applicationId',
    replace: 'details === undefined',
    caughtBy: { promise: foreign },
  },
  {
    name: 'the console changes the subscription of another application',
    file: 'functions/console/customer-action.ts',
    find: 'subscriptionQueries.getOwner(applicationId, subscriptionId)',
    replace: 'subscriptionQueries.getOwner(undefined, subscriptionId)',
    caughtBy: { promise: foreign },
  },
  {
    name: 'the console names the end of arrears as the end of grace',
    file: 'functions/console/customers/access-in-words.ts',
    find: "access === 'grace' ? fromMs + policy.graceDays * dayMs : endMs",
    replace: "access === 'none' ? fromMs + policy.graceDays * dayMs : endMs",
    caughtBy: { tests: ['test/pure/functions/console/access-in-words.test.ts'] },
  },
  {
    name: 'the console names the end of the term of a subscription that goes on',
    file: 'functions/console/customers/access-in-words.ts',
    find: 'untilMs !== undefined && accessAt(subscription, untilMs) !== access',
    replace: 'untilMs !== undefined',
    caughtBy: { tests: ['test/pure/functions/console/access-in-words.test.ts'] },
  },
];
