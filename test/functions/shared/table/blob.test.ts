import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinBlob, pieceBytes, splitBlob } from '../../../../functions/shared/table/blob.ts';

const threeMiB = randomBytes(3 * 1024 * 1024);
const sizes = fc.oneof(
  fc.nat(threeMiB.length),
  fc.constantFrom(0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes, threeMiB.length),
);

test('a blob of any size comes back whole, from pieces that fit an item, no more of them than needed', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const blob = threeMiB.subarray(0, size);
      const pieces = splitBlob(blob);
      expect(pieces).toHaveLength(Math.max(1, Math.ceil(size / pieceBytes)));
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(pieceBytes);
      expect(blob.equals(joinBlob(pieces, size))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a piece that is missing or cut is noticed', () => {
  const pieces = splitBlob(threeMiB);
  expect(() => joinBlob(pieces.slice(1), threeMiB.length)).toThrow();
  expect(() => joinBlob([...pieces.slice(0, -1), new Uint8Array(3)], threeMiB.length)).toThrow();
});

test('three MiB fit one transaction, which takes 4 MB and 100 items', () => {
  expect(splitBlob(threeMiB).length).toBeLessThan(100);
  expect(threeMiB.length).toBeLessThan(4_000_000);
});
