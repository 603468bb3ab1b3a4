import { startExecutionOf } from '../../shared/lambda/executions.ts';
import * as env from '../../shared/runtime/env.ts';
import { type NewId, newId } from '../../shared/runtime/ids.ts';
import type { ImportInput } from './import-parts.ts';

/**
 * Starts the execution that imports a statement. While one runs, it starts no other. One that failed for good is followed by
 * another, under a name of its own.
 */
export async function startImport(
  { applicationId, statementId }: ImportInput,
  nowMs: number,
  nextId: NewId = newId,
): Promise<void> {
  const input: ImportInput = { applicationId, statementId };
  const machine = env.bankImportMachine();
  if ((await startExecutionOf(machine, statementId, input)) === 'started') return;
  await startExecutionOf(machine, `${statementId}-${nextId('bst', nowMs).slice('bst_'.length)}`, input);
}
