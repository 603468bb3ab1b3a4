import type { Routes } from '../shared/contract/route.ts';
import * as checkout from './contracts/checkout.ts';
import * as decisions from './contracts/decisions.ts';
import * as payments from './contracts/payments.ts';

export const routes = {
  activate: payments.activateRoute,
  create: payments.createRoute,
  read: payments.readRoute,
  apply: payments.applyRoute,
  return: decisions.returnRoute,
  reverse: decisions.reverseRoute,
  reallocate: decisions.reallocateRoute,
  'pay-out': decisions.payOutRoute,
  list: payments.listRoute,
  'checkout-show': checkout.checkoutShowRoute,
  'checkout-submit': checkout.checkoutSubmitRoute,
  'stripe-webhook': checkout.stripeWebhookRoute,
} satisfies Routes;
