import type { Routes } from '../shared/contract/route.ts';
import {
  cancelRoute,
  creditInvoiceRoute,
  pauseRoute,
  resumeRoute,
  uncancelRoute,
  updateRoute,
} from './contracts/changes.ts';
import { changePreviewRoute, changeRoute } from './contracts/plan-changes.ts';
import { createRoute, currentRoute, listRoute, readRoute } from './contracts/subscriptions.ts';

export const routes = {
  create: createRoute,
  current: currentRoute,
  list: listRoute,
  read: readRoute,
  cancel: cancelRoute,
  update: updateRoute,
  pause: pauseRoute,
  resume: resumeRoute,
  uncancel: uncancelRoute,
  change: changeRoute,
  'change-preview': changePreviewRoute,
  'credit-invoice': creditInvoiceRoute,
} satisfies Routes;
