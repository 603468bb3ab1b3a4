import { task } from '../shared/lambda/scheduled.ts';
import { importParts } from './import/import-parts.ts';
import { timers } from './timers.ts';

export const handler = task(timers['run-import'], importParts);
