/** In every round of a race somebody wins, so that with fewer callers this many are never used up. */
const maxRounds = 30;

/**
 * Does again what reads, decides and writes bound to what it read, until nobody else was faster.
 *
 * @param attempt undefined when it lost; what it throws ends the rounds.
 */
export async function untilWon<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < maxRounds; round += 1) {
    const won = await attempt();
    if (won !== undefined) return won;
  }
  throw new Error(`The record was changed by others ${maxRounds} times in a row`);
}
