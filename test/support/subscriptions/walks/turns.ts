/** A life is the same in every run: its seed determines random values, and the order of what happens at the same time. */
import * as drawing from '../../../../functions/shared/runtime/random.ts';
import { inTurns as inChosenTurns, type Turn } from '../../orders/turns.ts';
import { Seeded } from '../../parallel/seeded.ts';

/** Has a seed determine ids and tokens. @returns restores the random values. */
export function seedRandomValues(seed: number): () => void {
  const ofIds = new Seeded(seed);
  const ofTokens = new Seeded(~seed);
  const token = () =>
    Buffer.from(Array.from({ length: 16 }, () => ofTokens.below(256))).toString('base64url');
  const spies = [
    vi.spyOn(drawing, 'randomFraction').mockImplementation(() => ofIds.below(32) / 32),
    vi.spyOn(drawing, 'randomToken').mockImplementation(token),
    vi.spyOn(drawing, 'jitterMs').mockReturnValue(1),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

/**
 * Does works at the same time. Their calls of the table are made one after the other, in an order that a seed determines.
 *
 * @param afterTurn runs after each call.
 * @returns their results. A failure of one is thrown when all are over.
 */
export async function inTurns<T>(
  works: readonly (() => Promise<T>)[],
  random: Seeded,
  afterTurn?: () => void,
): Promise<T[]> {
  const firstOfEach = (waiting: readonly Turn[]) =>
    [...Map.groupBy(waiting, ({ work }) => work).values()].flatMap(([first]) => first ?? []);
  const over = await inChosenTurns(works, {
    choose: (waiting) => random.pick(firstOfEach(waiting)),
    caused: () => {
      afterTurn?.();
      return [];
    },
  });
  return over.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
