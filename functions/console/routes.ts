import type { Routes } from '../shared/contract/route.ts';
import * as pages from './contracts/pages.ts';
import * as reviews from './contracts/reviews.ts';
import * as session from './contracts/session.ts';

export const routes = {
  'client-show': pages.clientShowRoute,
  'customer-document': pages.customerDocumentRoute,
  'customer-list': pages.customerListRoute,
  'customer-show': pages.customerShowRoute,
  audit: pages.auditRoute,
  home: pages.homeRoute,
  search: pages.searchRoute,
  'review-queue': reviews.reviewQueueRoute,
  'review-next': reviews.reviewNextRoute,
  'review-show': reviews.reviewShowRoute,
  'review-submit': reviews.reviewSubmitRoute,
  'sign-in-show': session.signInShowRoute,
  'sign-in-submit': session.signInSubmitRoute,
  'sign-out': session.signOutRoute,
} satisfies Routes;
