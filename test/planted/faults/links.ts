import type { Area } from '../fault.ts';

export const links: Area = {
  'A write that arrives late or twice changes nothing.': {
    'functions/links/trust-links/store.ts: a change of a link replaces a newer one': [
      "ConditionExpression: 'revision = :revision'",
      "ConditionExpression: 'revision >= :revision'",
    ],
  },
  'test/handlers/functions/links test/handlers/orders/forms.test.ts': {
    'functions/links/trust-links/store.ts: a change of a link is not in its history': [
      'historyWrite(next.linkId, { ...event, revision: next.revision }, decision),',
    ],
    'functions/links/trust-links/store.ts: a removal does not compare the revision': [
      '{ Delete: { Key: keyOf(current, current.linkId), ...ifRevisionUnchanged(current) } },',
      '{ Delete: { Key: keyOf(current, current.linkId) } },',
    ],
    'functions/links/trust-links/store.ts: a submission is stored without its key': [
      'return writeIdempotently(request, writes, record, nowMs);',
      'return writeIdempotently(undefined, writes, record, nowMs);',
    ],
  },
  'An event is written once, with its change, or not at all, whatever answers are lost.': {
    'functions/links/trust-links/store.ts: a change of a link writes no event': [
      '      ...eventWrites({ applicationId: current.applicationId, nowMs: event.atMs }, told),\n    );\n  },\n\n  /** Removes',
      '    );\n  },\n\n  /** Removes',
    ],
  },
  'test/handlers/functions/links/events.test.ts': {
    'functions/links/trust-links/store.ts: a removal of a link writes no event': [
      '        submission: submissionOf(current),\n      }),\n      ...eventWrites({ applicationId: current.applicationId, nowMs: event.atMs }, told),',
      '        submission: submissionOf(current),\n      }),',
    ],
  },
  'test/handlers/functions/links/reviews.test.ts': {
    'functions/links/trust-links/review-store.ts: a page of the queue is not sorted over its shards': [
      'return links.sort((a, b) => (a.queuePosition < b.queuePosition ? -1 : 1)).slice(0, limit);',
      'return links.slice(0, limit);',
    ],
    'functions/links/review-decide.ts: a decision on a link that was removed meanwhile is a conflict': [
      "if (present === undefined) throw new ApiError('not_found');",
      "if (present === undefined) throw new ApiError('conflict');",
    ],
  },
  'A record of another application or user is as absent as one that does not exist.': {
    'functions/links/trust-links/store.ts: the user of a link is not part of its key': [
      'keys.link(applicationId, userId, linkId);',
      "keys.link(userId === '' ? '' : applicationId, 'anybody', linkId);",
    ],
  },
  'An event of a link or a consent goes to its application alone, and says nothing of the reviewer.': {
    'functions/links/trust-links/transitions.ts: an event of a link names its reviewer and the reason': [
      'data: toLinkResponse(next) }],',
      'data: { ...toLinkResponse(next), event } }],',
    ],
  },
};
