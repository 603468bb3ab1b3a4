import fc from 'fast-check';
import {
  afterBankReversal,
  afterClaim,
  type Claim,
  type Claims,
  claimedMinor,
  latestClaimMs,
} from '../../../../functions/ledger/claims.ts';

const amountMinor = 1_000;
const after = (claims: readonly Claim[]) =>
  claims.reduce<Claims>((known, claim) => afterClaim(known, claim) ?? known, {});
const claimed = (claims: readonly Claim[]) => claimedMinor(after(claims), amountMinor);

const dispute = (id: string, atMs: number, ofMinor?: number): Claim => ({
  claim: 'dispute',
  id,
  amountMinor: ofMinor,
  atMs,
});
const won = (id: string, atMs: number): Claim => ({ claim: 'dispute_won', id, atMs });
const refund = (totalMinor: number | undefined, atMs: number): Claim => ({
  claim: 'refund',
  totalMinor,
  atMs,
});
const failed = (id: string, ofMinor: number, atMs: number): Claim => ({
  claim: 'refund_failed',
  id,
  amountMinor: ofMinor,
  atMs,
});

describe('what is claimed of a payment', () => {
  test.each<[string, Claim[], disputed: number, refunded: number]>([
    ['nothing', [], 0, 0],
    ['a dispute of the whole', [dispute('dp_1', 10)], 1_000, 0],
    ['a dispute of a part', [dispute('dp_1', 10, 300)], 300, 0],
    ['two disputes, of more than the whole', [dispute('dp_1', 10, 700), dispute('dp_2', 11, 700)], 1_000, 0],
    [
      'two disputes, one of them won',
      [dispute('dp_1', 10, 700), dispute('dp_2', 11, 200), won('dp_1', 12)],
      200,
      0,
    ],
    ['a dispute that is won in the second in which it began', [dispute('dp_1', 10), won('dp_1', 10)], 0, 0],
    [
      'a dispute that is withdrawn again after it was won',
      [dispute('dp_1', 10), won('dp_1', 11), dispute('dp_1', 12)],
      1_000,
      0,
    ],
    ['a refund of a part', [refund(300, 10)], 0, 300],
    ['a refund of the whole, without its amount', [refund(undefined, 10)], 0, 1_000],
    ['two refunds, each with the total', [refund(300, 10), refund(700, 11)], 0, 700],
    ['two refunds of one second, each with the total', [refund(700, 10), refund(300, 10)], 0, 700],
    ['a total that is lower, later', [refund(700, 10), refund(300, 11)], 0, 300],
    ['a refund that failed', [refund(700, 10), failed('re_1', 200, 11)], 0, 500],
    [
      'a refund that failed, in the second in which it was made',
      [refund(700, 10), failed('re_1', 700, 10)],
      0,
      0,
    ],
    [
      'a failed refund before a later total',
      [refund(700, 10), failed('re_1', 700, 11), refund(300, 12)],
      0,
      300,
    ],
    ['a failed refund alone', [failed('re_1', 200, 11)], 0, 0],
    ['a failed refund of more than the total', [refund(100, 10), failed('re_1', 200, 11)], 0, 0],
    ['a dispute and a refund', [dispute('dp_1', 10, 600), refund(400, 11)], 600, 400],
  ])('%s', (_, claims, disputedMinor, refundedMinor) => {
    expect(claimed(claims)).toEqual({ disputedMinor, refundedMinor });
  });

  test('is not changed by what says nothing new', () => {
    const known = after([dispute('dp_1', 10), won('dp_2', 9), refund(300, 10), failed('re_1', 5, 11)]);
    const repeats = [
      dispute('dp_1', 10),
      dispute('dp_1', 9, 5),
      won('dp_1', 9),
      dispute('dp_2', 9),
      won('dp_2', 12),
      refund(300, 10),
      refund(200, 10),
      refund(900, 9),
      failed('re_1', 5, 12),
    ];
    expect(repeats.map((claim) => afterClaim(known, claim))).toEqual(repeats.map(() => undefined));
  });
});

test('an entry of a bank counts once, before and after the seller states a total', () => {
  const entry = { entryId: 'e-1', amountMinor: 400, valueAtMs: 9 };
  const once = afterBankReversal({}, entry, 10);
  expect(afterBankReversal(once, entry, 11)).toEqual(once);
  const stated = afterBankReversal(once, { totalMinor: 600 }, 12);
  expect(claimedMinor(afterBankReversal(stated, entry, 13), 1_000)).toMatchObject({ disputedMinor: 600 });
  // A stated total is about an entry that follows.
  const further = afterBankReversal(stated, { ...entry, entryId: 'e-2' }, 14);
  expect(claimedMinor(further, 1_000)).toMatchObject({ disputedMinor: 600 });
  expect(afterBankReversal(further, { ...entry, entryId: 'e-2' }, 15)).toEqual(further);
});

/** An act on a payment at its gateway, each later than the one before: amounts are shares of what is left. */
type Act =
  | { readonly act: 'refund'; readonly share: number }
  | { readonly act: 'fail'; readonly refund: number }
  | { readonly act: 'dispute'; readonly share: number }
  | { readonly act: 'win'; readonly dispute: number };

/** The reports of a gateway, and the truth after them. */
function history(acts: readonly Act[]): { reports: Claim[]; disputedMinor: number; refundedMinor: number } {
  const reports: Claim[] = [];
  const refunds: { id: string; minor: number; stands: boolean }[] = [];
  const disputes: { id: string; minor: number; stands: boolean }[] = [];
  const sum = (of: typeof refunds) =>
    of.reduce((total, { minor, stands }) => total + (stands ? minor : 0), 0);
  const part = (share: number) => Math.ceil((amountMinor - sum(refunds) - sum(disputes)) * share);
  for (const [i, act] of acts.entries()) {
    const atMs = 10 + i;
    if (act.act === 'refund') {
      const minor = part(act.share);
      if (minor === 0) continue;
      const totalMinor = sum(refunds) + minor;
      refunds.push({ id: `re_${i}`, minor, stands: true });
      reports.push(refund(totalMinor, atMs));
    } else if (act.act === 'dispute') {
      const minor = part(act.share);
      if (minor === 0) continue;
      disputes.push({ id: `dp_${i}`, minor, stands: true });
      reports.push(dispute(`dp_${i}`, atMs, minor));
    } else if (act.act === 'fail') {
      const one = refunds[act.refund % Math.max(1, refunds.length)];
      if (one === undefined || !one.stands) continue;
      one.stands = false;
      reports.push(failed(one.id, one.minor, atMs));
    } else {
      const one = disputes[act.dispute % Math.max(1, disputes.length)];
      if (one === undefined || !one.stands) continue;
      one.stands = false;
      reports.push(won(one.id, atMs));
    }
  }
  return { reports, disputedMinor: sum(disputes), refundedMinor: sum(refunds) };
}

const shares = fc.constantFrom(0.1, 0.25, 0.5, 1);
const acts = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('refund' as const), share: shares }),
    fc.record({ act: fc.constant('fail' as const), refund: fc.nat(5) }),
    fc.record({ act: fc.constant('dispute' as const), share: shares }),
    fc.record({ act: fc.constant('win' as const), dispute: fc.nat(5) }),
  ),
  { maxLength: 8 },
);

test('what is claimed is the truth at the gateway, in whatever order and how often its reports arrive', () => {
  fc.assert(
    fc.property(acts, fc.infiniteStream(fc.nat()), (some, numbers) => {
      const { reports, ...truth } = history(some);
      const twice = [...reports, ...reports.filter(() => (numbers.next().value ?? 0) % 2 === 0)];
      const shuffled = twice
        .map((report) => ({ report, place: numbers.next().value ?? 0 }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ report }) => report);
      expect(claimed(shuffled)).toEqual(truth);
    }),
    { numRuns: 2_000 },
  );
});

test('a refund of the same amount once more, after it failed, is refunded', () => {
  expect(claimed([refund(250, 10), failed('re_1', 250, 11), refund(250, 12)]).refundedMinor).toBe(250);
});

test.each<[string, Claim[], Claim['claim'], number]>([
  ['a refund before a dispute', [refund(300, 10), dispute('dp_1', 12, 200)], 'refund', 10],
  ['a dispute before a refund', [dispute('dp_1', 10, 200), refund(300, 12)], 'dispute', 10],
  ['the later of two disputes', [dispute('dp_1', 12, 200), dispute('dp_2', 10, 200)], 'dispute', 12],
  ['a dispute beside one that was won later', [dispute('dp_1', 10), won('dp_2', 12)], 'dispute', 10],
  ['a won dispute beside a later one', [won('dp_1', 10), dispute('dp_2', 12)], 'dispute_won', 10],
  [
    'a refund that failed before a dispute',
    [failed('re_1', 1, 10), dispute('dp_1', 12)],
    'refund_failed',
    10,
  ],
  ['a total that is lower', [refund(700, 10), refund(300, 11)], 'refund_failed', 11],
])('the time of a gap is that of its own claim: %s', (_name, claims, gap, atMs) => {
  expect(latestClaimMs(after(claims), gap)).toBe(atMs);
});
