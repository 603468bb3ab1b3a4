import { submitRoute } from '../../console/contracts/operations.ts';
import {
  cancelRoute as cancel,
  creditInvoiceRoute as creditInvoice,
  pauseRoute as pause,
  resumeRoute as resume,
  uncancelRoute as uncancel,
  updateRoute as update,
} from '../../subscriptions/contracts/changes.ts';
import { changeRoute as change } from '../../subscriptions/contracts/plan-changes.ts';

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
