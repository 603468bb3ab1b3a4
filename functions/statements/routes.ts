import type { Routes } from '../shared/contract/route.ts';
import { route as clientList } from '../clients/contracts/list.ts';
import { route as invoiceList } from '../invoices/contracts/list.ts';
import { route as paymentApply } from '../payments/contracts/apply.ts';
import { route as paymentCreate } from '../payments/contracts/create.ts';
import { route as paymentList } from '../payments/contracts/list.ts';
import { route as paymentRead } from '../payments/contracts/read.ts';
import { route as paymentReturn } from '../payments/contracts/return.ts';
import { route as reportRevenue } from '../reports/contracts/revenue-read.ts';
import { route as statementConfirm } from './contracts/confirm.ts';
import { route as statementCreate } from './contracts/create.ts';
import { route as statementRead } from './contracts/read.ts';

/** What the people who do the books of an application work with. */
export const routes = {
  'payment-create': paymentCreate,
  'payment-read': paymentRead,
  'payment-apply': paymentApply,
  'payment-return': paymentReturn,
  'invoice-list': invoiceList,
  'client-list': clientList,
  'payment-list': paymentList,
  'statement-create': statementCreate,
  'statement-read': statementRead,
  'statement-confirm': statementConfirm,
  'report-revenue': reportRevenue,
} satisfies Routes;
