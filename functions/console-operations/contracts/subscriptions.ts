import { submitRoute } from '../../console/contracts/operations.ts';
import { route as cancel } from '../../subscriptions/contracts/cancel.ts';
import { route as change } from '../../subscriptions/contracts/change.ts';
import { route as creditInvoice } from '../../subscriptions/contracts/credit-invoice.ts';
import { route as pause } from '../../subscriptions/contracts/pause.ts';
import { route as resume } from '../../subscriptions/contracts/resume.ts';
import { route as uncancel } from '../../subscriptions/contracts/uncancel.ts';
import { route as update } from '../../subscriptions/contracts/update.ts';

export const commands = {
  cancel,
  uncancel,
  update,
  pause,
  resume,
  change,
  'credit-invoice': creditInvoice,
};

export const route = submitRoute('subscriptions', commands, 'subscriptions');
