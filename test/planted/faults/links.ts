import type { PlantedFault } from '../fault.ts';

export const faultsOfLinks: readonly PlantedFault[] = [
  {
    name: 'a change of a link replaces a newer one',
    file: 'functions/links/trust-links/store.ts',
    find: "ConditionExpression: 'revision = :revision'",
    replace: "ConditionExpression: 'revision >= :revision'",
    caughtBy: { promise: 'A write that arrives late or twice changes nothing.' },
  },
  {
    name: 'a change of a link is not in its history',
    file: 'functions/links/trust-links/store.ts',
    find: 'historyWrite(next.linkId, { ...event, revision: next.revision }, decisionAttributes(next, event)),',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/links'] },
  },
  {
    name: 'a change of a link writes no event',
    file: 'functions/links/trust-links/store.ts',
    find: '      ...eventWrites({ applicationId: current.applicationId, nowMs: event.atMs }, told),\n    );\n  },\n\n  /** Removes',
    replace: '    );\n  },\n\n  /** Removes',
    caughtBy: {
      promise: 'An event is written once, with its change, or not at all, whatever answers are lost.',
    },
  },
  {
    name: 'a removal of a link writes no event',
    file: 'functions/links/trust-links/store.ts',
    find: '        submission: submissionOf(current),\n      }),\n      ...eventWrites({ applicationId: current.applicationId, nowMs: event.atMs }, told),',
    replace: '        submission: submissionOf(current),\n      }),',
    caughtBy: { tests: ['test/handlers/functions/links/events.test.ts'] },
  },
  {
    name: 'a removal does not compare the revision',
    file: 'functions/links/trust-links/store.ts',
    find: '{ Delete: { Key: keyOf(current, current.linkId), ...ifRevisionUnchanged(current) } },',
    replace: '{ Delete: { Key: keyOf(current, current.linkId) } },',
    caughtBy: { tests: ['test/handlers/functions/links'] },
  },
  {
    name: 'a submission is stored without its key',
    file: 'functions/links/trust-links/store.ts',
    find: 'return writeIdempotently(request, writes, record, nowMs);',
    replace: 'return writeIdempotently(undefined, writes, record, nowMs);',
    caughtBy: { tests: ['test/handlers/functions/links'] },
  },
  {
    name: 'a page of a list repeats its last link',
    file: 'functions/links/trust-links/store.ts',
    find: 'startAfter: startAfter === undefined ? undefined : listKey(owner, status, startAfter),',
    replace: 'startAfter: undefined,',
    caughtBy: { tests: ['test/handlers/functions/links/list.test.ts'] },
  },
  {
    name: 'a page of the queue repeats its last link',
    file: 'functions/links/trust-links/review-store.ts',
    find: 'startAfter}~`',
    replace: 'startAfter.slice(0, -1)}`',
    caughtBy: { tests: ['test/handlers/functions/links/reviews.test.ts'] },
  },
  {
    name: 'a page of the queue is not sorted over its shards',
    file: 'functions/links/trust-links/review-store.ts',
    find: 'return links.sort((a, b) => (a.queuePosition < b.queuePosition ? -1 : 1)).slice(0, limit);',
    replace: 'return links.slice(0, limit);',
    caughtBy: { tests: ['test/handlers/functions/links/reviews.test.ts'] },
  },
  {
    name: 'a cursor of the list of decisions continues for another reviewer',
    file: 'functions/links/decision-list.ts',
    find: 'filters: [decision, reviewer],',
    replace: 'filters: [decision],',
    caughtBy: { tests: ['test/handlers/functions/links/decisions.test.ts'] },
  },
  {
    name: 'a verified link that changes has no priority',
    file: 'functions/links/trust-links/queue.ts',
    find: 'verified: (_, sinceMs) => ({ priority: true, sinceMs }),',
    replace: 'verified: (_, sinceMs) => ({ priority: false, sinceMs }),',
    caughtBy: { tests: ['test/handlers/functions/links'] },
  },
  {
    name: 'the history begins with its oldest entries',
    file: 'functions/links/trust-links/review-store.ts',
    find: 'queryUpTo({ partition, descending: true, startAfter }, limit)',
    replace: 'queryUpTo({ partition, startAfter }, limit)',
    caughtBy: { tests: ['test/handlers/functions/links'] },
  },
  {
    name: 'a decision does not say that the link changed meanwhile',
    file: 'functions/links/review-decide.ts',
    find: "if (transition === undefined || (await linkStore.change(link, transition, audit)) === 'conflict') {",
    replace:
      'if (transition === undefined || (await linkStore.change(link, transition, audit)) === undefined) {',
    caughtBy: { tests: ['test/handlers/functions/links/reviews.test.ts'] },
  },
  {
    name: 'the user of a link is not part of its key',
    file: 'functions/links/trust-links/store.ts',
    find: 'keys.link(applicationId, userId, linkId);',
    replace: "keys.link(userId === '' ? '' : applicationId, 'anybody', linkId);",
    caughtBy: { promise: 'A record of another application or user is as absent as one that does not exist.' },
  },
  {
    name: 'an event of a link names its reviewer and the reason',
    file: 'functions/links/trust-links/transitions.ts',
    find: 'data: toLinkResponse(next) }],',
    replace: 'data: { ...toLinkResponse(next), event } }],',
    caughtBy: {
      promise:
        'An event of a link or a consent goes to its application alone, and says nothing of the reviewer.',
    },
  },
  {
    name: 'a decision on a link that was removed meanwhile is a conflict',
    file: 'functions/links/review-decide.ts',
    find: "if ((await linkStore.get(link, linkId)) === undefined) throw new ApiError('not_found');",
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/links/reviews.test.ts'] },
  },
  {
    name: 'the removal of a link does not wait for the rate limit',
    file: 'functions/links/remove.ts',
    find: 'await rateLimitPassed;',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/links/read-update-remove.test.ts'] },
  },
];
