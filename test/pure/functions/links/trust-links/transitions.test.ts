import {
  submissionEntry,
  submissionOf,
  toHistoryEntry,
} from '../../../../../functions/links/trust-links/history.ts';
import { isLinkId, type Link, newLink } from '../../../../../functions/links/trust-links/link.ts';
import {
  applyDecision,
  applyUpdate,
  removalOf,
} from '../../../../../functions/links/trust-links/transitions.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';

const by = { kind: 'application', id: 'app_1' } as const;
const submission = { title: 'Title', url: 'https://EXAMPLE.com', platform: 'Web', description: 'Text' };
const made = { linkId: newId('lnk', 0), atMs: 1_000, by };
const pending = newLink({ applicationId: 'app_1', userId: 'ann' }, submission, made);
const reviewed = (decision: 'verified' | 'rejected'): Link => {
  const change = applyDecision(pending, { decision, revision: 1 }, { by, nowMs: 2_000 });
  if (change === undefined) throw new Error('Not decided');
  return change.next;
};
const links: Record<string, Link> = {
  pending,
  verified: reviewed('verified'),
  rejected: reviewed('rejected'),
  'verified, changed': must(applyUpdate(reviewed('verified'), { title: 'Other' }, { by, nowMs: 3_000 })).next,
};

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Nothing');
  return value;
}

/** The outcome of every event in every state; undefined where nothing changes. */
const transitions: [from: string, event: string, to: object | undefined][] = [
  ['pending', 'update', { verificationStatus: 'pending', queueEntry: { priority: false, sinceMs: 1_000 } }],
  ['verified', 'update', { verificationStatus: 'pending', queueEntry: { priority: true, sinceMs: 9_000 } }],
  ['rejected', 'update', { verificationStatus: 'pending', queueEntry: { priority: false, sinceMs: 9_000 } }],
  [
    'verified, changed',
    'update',
    { verificationStatus: 'pending', queueEntry: { priority: true, sinceMs: 3_000 } },
  ],
  ...['pending', 'verified, changed'].flatMap((from): typeof transitions => [
    [from, 'verify', { verificationStatus: 'verified', reviewedAtMs: 9_000 }],
    [from, 'reject', { verificationStatus: 'rejected', reviewedAtMs: 9_000 }],
  ]),
  ...['verified', 'rejected'].flatMap((from): typeof transitions => [
    [from, 'verify', undefined],
    [from, 'reject', undefined],
    // The application was told of the decision: the link comes before others.
    [
      from,
      'withdraw',
      { verificationStatus: 'pending', queueEntry: { priority: true, sinceMs: 9_000 }, eventCount: 2 },
    ],
  ]),
  ...['pending', 'verified, changed'].map((from): (typeof transitions)[number] => [
    from,
    'withdraw',
    undefined,
  ]),
  ...Object.keys(links).map((from): (typeof transitions)[number] => [
    from,
    'update to the same values',
    undefined,
  ]),
];

const events: Record<string, (link: Link) => ReturnType<typeof applyUpdate>> = {
  update: (link) => applyUpdate(link, { title: 'New title' }, { by, nowMs: 9_000 }),
  'update to the same values': (link) => {
    const { title, url, platform, description } = link;
    return applyUpdate(link, { title, url, platform, description }, { by, nowMs: 9_000 });
  },
  verify: (link) =>
    applyDecision(link, { decision: 'verified', revision: link.revision }, { by, nowMs: 9_000 }),
  reject: (link) =>
    applyDecision(link, { decision: 'rejected', revision: link.revision }, { by, nowMs: 9_000 }),
  withdraw: (link) =>
    applyDecision(
      link,
      { decision: 'withdrawn', reason: 'Wrong key', revision: link.revision },
      { by, nowMs: 9_000 },
    ),
};

describe('transitions', () => {
  test.each(transitions)('%s, %s: %j', (from, event, to) => {
    const link = must(links[from]);
    const change = must(events[event])(link);
    if (to === undefined) {
      expect(change).toBeUndefined();
      return;
    }
    const next = must(change).next;
    expect(next).toMatchObject({ ...to, revision: link.revision + 1 });
    // A link is either in the queue or reviewed.
    expect('queueEntry' in next).toBe(next.verificationStatus === 'pending');
    expect('reviewedAtMs' in next).toBe(next.verificationStatus !== 'pending');
  });

  test('tell the application of each review, and of a link that waits for another one', () => {
    const types = transitions.map(([from, event]): [string, string[] | undefined] => [
      `${from}, ${event}`,
      must(events[event])(must(links[from]))?.told.map(({ type }) => type),
    ]);
    const verified = ['link.verified'];
    const rejected = ['link.rejected'];
    expect(Object.fromEntries(types.filter(([, told]) => told !== undefined))).toEqual({
      'pending, update': [],
      'verified, update': ['link.pending'],
      'rejected, update': ['link.pending'],
      'verified, changed, update': [],
      'pending, verify': verified,
      'pending, reject': rejected,
      'verified, changed, verify': verified,
      'verified, changed, reject': rejected,
      'verified, withdraw': ['link.pending'],
      'rejected, withdraw': ['link.pending'],
    });
  });

  test('count what the application was told', () => {
    const counts = [pending, must(links.verified), must(links['verified, changed'])].map(
      (link) => link.eventCount,
    );
    expect(counts).toEqual([undefined, 1, 2]);
  });

  test('the table has a row for every state and event', () => {
    expect(new Set(transitions.map(([from, event]) => `${from}, ${event}`)).size).toBe(
      Object.keys(links).length * Object.keys(events).length,
    );
  });

  test('a decision on another revision has no effect', () => {
    for (const revision of [0, 2, 100])
      expect(applyDecision(pending, { decision: 'verified', revision }, { by, nowMs: 1 })).toBeUndefined();
  });
});

describe('the history event', () => {
  test('of an update holds the former values of the changed fields, and the review that it invalidates', () => {
    const { event } = must(
      applyUpdate(must(links.verified), { url: 'https://b.example' }, { by, nowMs: 9_000 }),
    );
    expect(event).toEqual({
      event: 'changed',
      atMs: 9_000,
      by,
      before: {
        url: 'https://EXAMPLE.com',
        verificationStatus: 'verified',
        reviewedAt: '1970-01-01T00:00:02.000Z',
      },
    });
  });

  test('of an update records that a description was added or removed', () => {
    const without = must(applyUpdate(pending, { description: '' }, { by, nowMs: 9_000 }));
    expect(without.next).not.toHaveProperty('description');
    expect(without.event.before).toEqual({ description: 'Text' });
    const again = must(applyUpdate(without.next, { description: 'New' }, { by, nowMs: 9_000 }));
    expect(again.event.before).toEqual({ description: null });
    expect(again.next.description).toBe('New');
    expect(applyUpdate(without.next, { description: '' }, { by, nowMs: 9_000 })).toBeUndefined();
  });

  test('of a decision holds its reason, and the event of a removal the whole link', () => {
    const rejection = applyDecision(
      pending,
      { decision: 'rejected', revision: 1, reason: 'Not theirs' },
      { by, nowMs: 9_000 },
    );
    expect(must(rejection).event).toMatchObject({
      event: 'rejected',
      reason: 'Not theirs',
      before: { verificationStatus: 'pending' },
    });
    expect(must(must(events.withdraw)(must(links.verified))).event).toEqual({
      event: 'withdrawn',
      atMs: 9_000,
      by,
      reason: 'Wrong key',
      before: { verificationStatus: 'verified', reviewedAt: '1970-01-01T00:00:02.000Z' },
    });
    const { event, told } = removalOf(reviewed('verified'), { by, nowMs: 9_000 });
    expect(event).toMatchObject({
      event: 'removed',
      before: {
        title: 'Title',
        url: 'https://EXAMPLE.com',
        platform: 'Web',
        description: 'Text',
        reviewedAt: '1970-01-01T00:00:02.000Z',
      },
    });
    expect(told).toMatchObject([{ type: 'link.removed' }]);
  });

  test('is shown with its time, and the submission first', () => {
    const submitted = submissionOf(pending);
    expect(submitted).toEqual({ applicationId: 'app_1', userId: 'ann', createdAtMs: 1_000, submittedBy: by });
    expect(submissionEntry(submitted)).toEqual({
      event: 'submitted',
      revision: 1,
      at: '1970-01-01T00:00:01.000Z',
      by,
    });
    const stored = { event: 'rejected', revision: 2, atMs: 2_000, by, before: {} } as const;
    const shown = { event: 'rejected', revision: 2, at: '1970-01-01T00:00:02.000Z', by, before: {} };
    expect(toHistoryEntry(stored)).toEqual(shown);
    expect(toHistoryEntry(Object.assign({ reason: 'No' }, stored))).toEqual(
      Object.assign({ reason: 'No' }, shown),
    );
  });
});

test('only the id of a link is one', () => {
  expect([newId('lnk', 0), newId('app', 0), 'lnk_', ''].map(isLinkId)).toEqual([true, false, false, false]);
});
