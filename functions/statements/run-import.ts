import { receivePayment } from '../payments/settle/receive.ts';
import { task } from '../shared/lambda/scheduled.ts';
import { clock } from '../shared/runtime/clock.ts';
import { type ImportDeps, importParts } from './import/import-parts.ts';
import { statementStore } from './import/store.ts';
import { timers } from './timers.ts';

const importDeps = (): ImportDeps => ({ statements: statementStore, receivePayment, clock });

export const handler = task(timers['run-import'], importParts, importDeps);
