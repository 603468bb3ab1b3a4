import fc from 'fast-check';
import ipaddr from 'ipaddr.js';

/** A range of the address space with the name of its record, if any. */
export interface Stretch {
  readonly first: bigint;
  readonly last: bigint;
  readonly name: string | undefined;
}

export const spaceEnd = (bits: 32 | 128): bigint => (1n << BigInt(bits)) - 1n;

/** Divides the whole space into ranges. Neighbors may share a name. Most ends lie near powers of two. */
export function stretches(bits: 32 | 128): fc.Arbitrary<Stretch[]> {
  const end = spaceEnd(bits);
  const near = fc
    .tuple(fc.bigInt(0n, end), fc.nat(bits), fc.integer({ min: -1, max: 1 }))
    .map(([value, zeros, step]) => ((value >> BigInt(zeros)) << BigInt(zeros)) + BigInt(step))
    .filter((value) => value > 0n && value <= end);
  const begins = fc.uniqueArray(fc.oneof(fc.bigInt(1n, end), near, fc.constantFrom(1n, end)), {
    maxLength: 30,
  });
  const name = fc.option(fc.constantFrom('Kabel', 'Fibre', 'Señal', '電信'), { nil: undefined });
  return fc.tuple(begins, fc.array(name, { minLength: 31, maxLength: 31 })).map(([inner, names]) =>
    [0n, ...inner.sort((a, b) => (a < b ? -1 : 1))].map((first, i, all) => ({
      first,
      last: (all[i + 1] ?? end + 1n) - 1n,
      name: names[i],
    })),
  );
}

/** Addresses on both sides of every end, and the first and last of all. */
export function edges(parts: readonly Stretch[], bits: 32 | 128): bigint[] {
  const around = parts.flatMap(({ first, last }) => [
    first - 1n,
    first,
    first + 1n,
    last - 1n,
    last,
    last + 1n,
  ]);
  return around.filter((value) => value >= 0n && value <= spaceEnd(bits));
}

export function addressText(value: bigint, bits: 32 | 128): string {
  const hex = value.toString(16).padStart(bits / 4, '0');
  return ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toNormalizedString();
}
