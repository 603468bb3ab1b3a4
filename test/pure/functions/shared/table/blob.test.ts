import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { joinBlob, partBytes, splitBlob } from '../../../../../functions/shared/table/blob.ts';

const threeMiB = randomBytes(3 * 1024 * 1024);
const sizes = fc.oneof(
  fc.nat(threeMiB.length),
  fc.constantFrom(0, 1, partBytes - 1, partBytes, partBytes + 1, 2 * partBytes, threeMiB.length),
);

test('a blob of any size is restored from the smallest number of parts that fit an item', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const blob = threeMiB.subarray(0, size);
      const parts = splitBlob(blob);
      expect(parts).toHaveLength(Math.max(1, Math.ceil(size / partBytes)));
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(partBytes);
      expect(blob.equals(joinBlob(parts, size))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a missing or truncated part is detected', () => {
  const parts = splitBlob(threeMiB);
  expect(() => joinBlob(parts.slice(1), threeMiB.length)).toThrow();
  expect(() => joinBlob([...parts.slice(0, -1), new Uint8Array(3)], threeMiB.length)).toThrow();
});

test('3 MiB fit one transaction of 4 MB and 100 items', () => {
  expect(splitBlob(threeMiB).length).toBeLessThan(100);
  expect(threeMiB.length).toBeLessThan(4_000_000);
});
