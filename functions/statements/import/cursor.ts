import { encodeCursor, isCount, readCursor } from '../../shared/lambda/cursor.ts';
import type { BankStatement, MatchKind } from './statement.ts';

const scopeOf = (
  { applicationId, statementId }: Pick<BankStatement, 'applicationId' | 'statementId'>,
  match = '',
) => ['bank-statement', applicationId, statementId, match];

export function cursorAfter(statement: BankStatement, match: MatchKind | undefined, n: number): string {
  return encodeCursor(scopeOf(statement, match), { after: String(n) });
}

export function readEntryCursor(
  statement: Pick<BankStatement, 'applicationId' | 'statementId'>,
  match: MatchKind | undefined,
  cursor: string | undefined,
): number {
  return Number(readCursor(scopeOf(statement, match), cursor, { after: isCount })?.after ?? 0);
}
