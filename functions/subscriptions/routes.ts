import type { Routes } from '../shared/contract/route.ts';
import {
  cancelRoute as cancel,
  creditInvoiceRoute as creditInvoice,
  pauseRoute as pause,
  resumeRoute as resume,
  uncancelRoute as uncancel,
  updateRoute as update,
} from './contracts/changes.ts';
import { changeRoute as change, changePreviewRoute as changePreview } from './contracts/plan-changes.ts';
import {
  createRoute as create,
  currentRoute as current,
  listRoute as list,
  readRoute as read,
} from './contracts/subscriptions.ts';

export const routes = {
  create,
  current,
  list,
  read,
  cancel,
  update,
  pause,
  resume,
  uncancel,
  change,
  'change-preview': changePreview,
  'credit-invoice': creditInvoice,
} satisfies Routes;
