import { task } from '../shared/lambda/scheduled.ts';
import { attemptBatch } from './deliveries/attempt-batch.ts';
import { timers } from './timers.ts';

export const handler = task(timers.attempt, attemptBatch);
