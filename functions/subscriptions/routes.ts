import type { Routes } from '../shared/contract/route.ts';
import * as changes from './contracts/changes.ts';
import * as planChanges from './contracts/plan-changes.ts';
import * as subscriptions from './contracts/subscriptions.ts';

export const routes = {
  create: subscriptions.createRoute,
  current: subscriptions.currentRoute,
  list: subscriptions.listRoute,
  read: subscriptions.readRoute,
  cancel: changes.cancelRoute,
  update: changes.updateRoute,
  pause: changes.pauseRoute,
  resume: changes.resumeRoute,
  uncancel: changes.uncancelRoute,
  change: planChanges.changeRoute,
  'change-preview': planChanges.changePreviewRoute,
  'credit-invoice': changes.creditInvoiceRoute,
} satisfies Routes;
