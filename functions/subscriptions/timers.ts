import { defineTimers } from '../shared/contract/route.ts';
import { stepTable } from './grants.ts';

export const timers = defineTimers({
  'run-step': {
    summary: 'Takes the due steps of a subscription.',
    grants: { table: stepTable, uses: ['timers'] },
  },
  'sweep-timers': {
    summary: 'Starts executions for timers that are due soon, and for those that were lost.',
    everyMinutes: 360,
    grants: {
      table: { CLIENT: ['UpdateItem'] },
      indexes: { due: ['TIMER'] },
      uses: ['timers', 'watchTimers'],
    },
  },
});
