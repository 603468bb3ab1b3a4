import type { Routes } from '../shared/contract/route.ts';
import { route as clientList } from '../clients/contracts/list.ts';
import { route as invoiceList } from '../invoices/contracts/list.ts';
import { route as paymentApply } from './contracts/payment-apply.ts';
import { route as paymentCreate } from './contracts/payment-create.ts';
import { route as paymentList } from './contracts/payment-list.ts';
import { route as paymentRead } from './contracts/payment-read.ts';
import { route as paymentReturn } from './contracts/payment-return.ts';
import { route as reportRevenue } from './contracts/report-revenue.ts';
import { route as statementConfirm } from './contracts/statement-confirm.ts';
import { route as statementCreate } from './contracts/statement-create.ts';
import { route as statementRead } from './contracts/statement-read.ts';

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
