import { defineTimers } from '../shared/contract/route.ts';

export const timers = defineTimers({
  'send-alerts': {
    summary: 'Sends the New Device Login mails that are still due.',
    everyMinutes: 5,
    grants: { table: { ALERT: ['Query', 'UpdateItem', 'DeleteItem'] }, uses: ['mail'] },
  },
});
