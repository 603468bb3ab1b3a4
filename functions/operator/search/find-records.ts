import { allows } from '../../shared/contract/operator-scopes.ts';
import { finders, type Sought } from './finders.ts';
import type { SearchHit } from './schemas.ts';

/**
 * Finds the records that a text names. Records that the scopes do not cover are not read.
 *
 * @param scopes of the operator key.
 */
export async function findRecords(sought: Sought, scopes: readonly string[]): Promise<SearchHit[]> {
  const { applicationId } = sought;
  const covered = finders.filter(({ scope }) => allows(scopes, scope));
  const found = await Promise.all(covered.map(({ find }) => find(sought)));
  return found.flat().filter((hit) => isOf(applicationId, hit));
}

const isOf = (wanted: string | undefined, hit: object): boolean =>
  wanted === undefined || !('applicationId' in hit) || hit.applicationId === wanted;
