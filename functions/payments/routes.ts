import type { Routes } from '../shared/contract/route.ts';
import { checkoutShowRoute, checkoutSubmitRoute, stripeWebhookRoute } from './contracts/checkout.ts';
import { payOutRoute, reallocateRoute, returnRoute, reverseRoute } from './contracts/decisions.ts';
import { activateRoute, applyRoute, createRoute, listRoute, readRoute } from './contracts/payments.ts';

export const routes = {
  activate: activateRoute,
  create: createRoute,
  read: readRoute,
  apply: applyRoute,
  return: returnRoute,
  reverse: reverseRoute,
  reallocate: reallocateRoute,
  'pay-out': payOutRoute,
  list: listRoute,
  'checkout-show': checkoutShowRoute,
  'checkout-submit': checkoutSubmitRoute,
  'stripe-webhook': stripeWebhookRoute,
} satisfies Routes;
