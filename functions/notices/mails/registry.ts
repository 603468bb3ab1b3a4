import { changes } from './changes.ts';
import { ends } from './ends.ts';
import type { Mails } from './mail.ts';
import { payments } from './payments.ts';
import { planChanges } from './plan-changes.ts';
import { requests } from './requests.ts';

export const mails: Mails = Object.assign({}, requests, payments, planChanges, changes, ends);
