import type { Routes } from '../shared/contract/route.ts';
import { route as activate } from './contracts/activate.ts';
import { route as apply } from './contracts/apply.ts';
import { route as checkoutShow } from './contracts/checkout-show.ts';
import { route as checkoutSubmit } from './contracts/checkout-submit.ts';
import { route as create } from './contracts/create.ts';
import { route as list } from './contracts/list.ts';
import { route as payOut } from './contracts/pay-out.ts';
import { route as read } from './contracts/read.ts';
import { route as reallocate } from './contracts/reallocate.ts';
import { route as returned } from './contracts/return.ts';
import { route as reverse } from './contracts/reverse.ts';
import { route as stripeWebhook } from './contracts/stripe-webhook.ts';

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
