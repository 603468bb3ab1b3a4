import type { Routes } from '../shared/contract/route.ts';
import {
  checkoutShowRoute as checkoutShow,
  checkoutSubmitRoute as checkoutSubmit,
  stripeWebhookRoute as stripeWebhook,
} from './contracts/checkout.ts';
import {
  payOutRoute as payOut,
  reallocateRoute as reallocate,
  returnRoute as returned,
  reverseRoute as reverse,
} from './contracts/decisions.ts';
import {
  activateRoute as activate,
  applyRoute as apply,
  createRoute as create,
  listRoute as list,
  readRoute as read,
} from './contracts/payments.ts';

export const routes = {
  activate,
  create,
  read,
  apply,
  return: returned,
  reverse,
  reallocate,
  'pay-out': payOut,
  list,
  'checkout-show': checkoutShow,
  'checkout-submit': checkoutSubmit,
  'stripe-webhook': stripeWebhook,
} satisfies Routes;
