import type { Routes } from '../shared/contract/route.ts';
import { route as activate } from '../payments/contracts/activate.ts';
import { route as billingInvoice } from '../portal/contracts/invoice.ts';
import { route as billingLink } from '../portal/contracts/link.ts';
import { route as billingShow } from '../portal/contracts/show.ts';
import { route as billingSubmit } from '../portal/contracts/submit.ts';
import { route as cancel } from './contracts/cancel.ts';
import { route as change } from './contracts/change.ts';
import { route as changePreview } from './contracts/change-preview.ts';
import { route as checkoutShow } from '../payments/contracts/checkout-show.ts';
import { route as checkoutSubmit } from '../payments/contracts/checkout-submit.ts';
import { route as clientUpsert } from '../clients/contracts/upsert.ts';
import { route as create } from './contracts/create.ts';
import { route as creditNoteRead } from '../invoices/contracts/credit-note-read.ts';
import { route as current } from './contracts/current.ts';
import { route as invoiceRead } from '../invoices/contracts/read.ts';
import { route as list } from './contracts/list.ts';
import { route as pause } from './contracts/pause.ts';
import { route as planCreate } from '../plans/contracts/create.ts';
import { route as planList } from '../plans/contracts/list.ts';
import { route as planUpdate } from '../plans/contracts/update.ts';
import { route as read } from './contracts/read.ts';
import { route as resume } from './contracts/resume.ts';
import { route as stripeWebhook } from '../payments/contracts/stripe-webhook.ts';
import { route as uncancel } from './contracts/uncancel.ts';
import { route as update } from './contracts/update.ts';

export const routes = {
  'plan-list': planList,
  'client-upsert': clientUpsert,
  create,
  current,
  list,
  read,
  cancel,
  update,
  activate,
  pause,
  resume,
  uncancel,
  'invoice-read': invoiceRead,
  'credit-note-read': creditNoteRead,
  change,
  'change-preview': changePreview,
  'checkout-show': checkoutShow,
  'checkout-submit': checkoutSubmit,
  'stripe-webhook': stripeWebhook,
  'billing-link': billingLink,
  'billing-show': billingShow,
  'billing-submit': billingSubmit,
  'billing-invoice': billingInvoice,
  'plan-create': planCreate,
  'plan-update': planUpdate,
} satisfies Routes;
