import type { Area } from '../fault.ts';

export const links: Area = {
  'A write that arrives late or twice changes nothing.': {
    'functions/links/trust-links/store.ts: a change of a link replaces a newer one': [
      "ConditionExpression: 'revision = :revision'",
      "ConditionExpression: 'revision >= :revision'",
    ],
  },
  'An event is written once, with its change, or not at all, whatever answers are lost.': {
    'functions/links/trust-links/store.ts: a change of a link writes no event': [
      '      ...eventWrites({ applicationId: current.applicationId, nowMs: event.atMs }, told),\n    );\n  },\n\n  /** Removes',
      '    );\n  },\n\n  /** Removes',
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
