import { describe, expect, test } from 'vitest';
import { changed, decided, type Link, newLink, removed } from '../../../functions/links/link.ts';
import { queuePosition, shardOf } from '../../../functions/links/reviewing.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';

const by = { kind: 'application', id: 'app_1' } as const;
const submission = { title: 'Title', url: 'https://EXAMPLE.com', platform: 'Web', description: 'Text' };
const made = { linkId: newId('lnk', 0), atMs: 1_000, by };
const pending = newLink({ applicationId: 'app_1', userId: 'ann' }, submission, made);
const reviewed = (decision: 'verified' | 'rejected'): Link => {
  const change = decided(pending, { decision, revision: 1 }, { by, nowMs: 2_000 });
  if (change === undefined) throw new Error('Not decided');
  return change.next;
};
const links: Record<string, Link> = {
  pending,
  verified: reviewed('verified'),
  rejected: reviewed('rejected'),
  'verified, changed': must(changed(reviewed('verified'), { title: 'Other' }, { by, nowMs: 3_000 })).next,
};

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Nothing');
  return value;
}

/** Every state and every event; what is not here changes nothing. */
const transitions: [from: string, event: string, to: object | undefined][] = [
  ['pending', 'update', { verificationStatus: 'pending', waiting: { priority: false, sinceMs: 1_000 } }],
  ['verified', 'update', { verificationStatus: 'pending', waiting: { priority: true, sinceMs: 9_000 } }],
  ['rejected', 'update', { verificationStatus: 'pending', waiting: { priority: false, sinceMs: 9_000 } }],
  [
    'verified, changed',
    'update',
    { verificationStatus: 'pending', waiting: { priority: true, sinceMs: 3_000 } },
  ],
  ...['pending', 'verified, changed'].flatMap((from): typeof transitions => [
    [from, 'verify', { verificationStatus: 'verified', reviewedAtMs: 9_000 }],
    [from, 'reject', { verificationStatus: 'rejected', reviewedAtMs: 9_000 }],
  ]),
  ...['verified', 'rejected'].flatMap((from): typeof transitions => [
    [from, 'verify', undefined],
    [from, 'reject', undefined],
  ]),
  ...Object.keys(links).map((from): (typeof transitions)[number] => [from, 'the same again', undefined]),
];

const events: Record<string, (link: Link) => ReturnType<typeof changed>> = {
  update: (link) => changed(link, { title: 'New title' }, { by, nowMs: 9_000 }),
  'the same again': (link) => {
    const { title, url, platform, description } = link;
    return changed(link, { title, url, platform, description }, { by, nowMs: 9_000 });
  },
  verify: (link) => decided(link, { decision: 'verified', revision: link.revision }, { by, nowMs: 9_000 }),
  reject: (link) => decided(link, { decision: 'rejected', revision: link.revision }, { by, nowMs: 9_000 }),
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
    // Waiting and reviewed exclude each other.
    expect('waiting' in next).toBe(next.verificationStatus === 'pending');
    expect('reviewedAtMs' in next).toBe(next.verificationStatus !== 'pending');
  });

  test('every state has its row for every event', () => {
    expect(new Set(transitions.map(([from, event]) => `${from}, ${event}`)).size).toBe(
      Object.keys(links).length * Object.keys(events).length,
    );
  });

  test('a decision on another revision changes nothing', () => {
    for (const revision of [0, 2, 100])
      expect(decided(pending, { decision: 'verified', revision }, { by, nowMs: 1 })).toBeUndefined();
  });
});

describe('what is written down', () => {
  test('of a change: only what it changed, as it was, with the review that no longer holds', () => {
    const { happening } = must(
      changed(must(links.verified), { url: 'https://b.example' }, { by, nowMs: 9_000 }),
    );
    expect(happening).toEqual({
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

  test('of a description that comes and goes: that there was none, and what it was', () => {
    const without = must(changed(pending, { description: '' }, { by, nowMs: 9_000 }));
    expect(without.next).not.toHaveProperty('description');
    expect(without.happening.before).toEqual({ description: 'Text' });
    const again = must(changed(without.next, { description: 'New' }, { by, nowMs: 9_000 }));
    expect(again.happening.before).toEqual({ description: null });
    expect(changed(without.next, { description: '' }, { by, nowMs: 9_000 })).toBeUndefined();
  });

  test('of a decision: its reason; of a removal: all that the link was', () => {
    const rejection = decided(
      pending,
      { decision: 'rejected', revision: 1, reason: 'Not his' },
      { by, nowMs: 9_000 },
    );
    expect(must(rejection).happening).toMatchObject({ event: 'rejected', reason: 'Not his' });
    expect(removed(pending, { by, nowMs: 9_000 })).toMatchObject({
      event: 'removed',
      before: { title: 'Title', url: 'https://EXAMPLE.com', platform: 'Web', description: 'Text' },
    });
  });
});

describe('the queue', () => {
  test('sorts priority before time, time before chance', () => {
    const at = (priority: boolean, sinceMs: number, id = 'lnk_A') => queuePosition(id, { priority, sinceMs });
    const sorted = [
      ...[at(true, 5), at(true, 6), at(true, 6, 'lnk_B'), at(true, 10_000), at(true, Date.now())],
      ...[at(false, 1), at(false, 999), at(false, 1_000), at(false, Date.now(), 'lnk_Z')],
    ];
    expect(sorted.toSorted()).toEqual(sorted);
  });

  test('is spread evenly over its parts', () => {
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4_000; i += 1) {
      const shard = shardOf(newId('lnk', 0), 4);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(850);
  });
});
