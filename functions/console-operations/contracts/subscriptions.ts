import { submitRoute } from '../../console/contracts/operations.ts';
import {
  cancelRoute,
  creditInvoiceRoute,
  pauseRoute,
  resumeRoute,
  uncancelRoute,
  updateRoute,
} from '../../subscriptions/contracts/changes.ts';
import { changeRoute } from '../../subscriptions/contracts/plan-changes.ts';

export const commands = {
  cancel: cancelRoute,
  uncancel: uncancelRoute,
  update: updateRoute,
  pause: pauseRoute,
  resume: resumeRoute,
  change: changeRoute,
  'credit-invoice': creditInvoiceRoute,
};

export const route = submitRoute('subscriptions', commands, 'subscriptions');
