import type { Routes } from '../shared/contract/route.ts';
import { route as cancel } from './contracts/cancel.ts';
import { route as change } from './contracts/change.ts';
import { route as changePreview } from './contracts/change-preview.ts';
import { route as create } from './contracts/create.ts';
import { route as creditInvoice } from './contracts/credit-invoice.ts';
import { route as current } from './contracts/current.ts';
import { route as list } from './contracts/list.ts';
import { route as pause } from './contracts/pause.ts';
import { route as read } from './contracts/read.ts';
import { route as resume } from './contracts/resume.ts';
import { route as uncancel } from './contracts/uncancel.ts';
import { route as update } from './contracts/update.ts';

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
