import type { Routes } from '../shared/contract/route.ts';
import {
  listRoute as list,
  readRoute as read,
  removeRoute as remove,
  submitRoute as submit,
  updateRoute as update,
  userLinkListRoute as userLinkList,
} from './contracts/links.ts';
import {
  decisionListRoute as decisionList,
  reviewDecideRoute as reviewDecide,
  reviewListRoute as reviewList,
  reviewReadRoute as reviewRead,
} from './contracts/reviews.ts';
import {
  socialAccountStatusRoute as socialAccountStatus,
  statusRoute as status,
} from './contracts/statuses.ts';

export const routes = {
  submit,
  list,
  read,
  update,
  remove,
  status,
  'social-account-status': socialAccountStatus,
  'review-list': reviewList,
  'review-read': reviewRead,
  'review-decide': reviewDecide,
  'decision-list': decisionList,
  'user-link-list': userLinkList,
} satisfies Routes;
