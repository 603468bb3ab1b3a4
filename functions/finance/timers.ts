import { defineTimers } from '../shared/contract/route.ts';

export const timers = defineTimers({});
