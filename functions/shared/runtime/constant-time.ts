import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal. The time does not tell where they differ; it can tell that their lengths do. */
export function isEqualInConstantTime(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
