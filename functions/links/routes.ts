import type { Routes } from '../shared/contract/route.ts';
import {
  listRoute,
  readRoute,
  removeRoute,
  submitRoute,
  updateRoute,
  userLinkListRoute,
} from './contracts/links.ts';
import {
  decisionListRoute,
  reviewDecideRoute,
  reviewListRoute,
  reviewReadRoute,
} from './contracts/reviews.ts';
import { socialAccountStatusRoute, statusRoute } from './contracts/statuses.ts';

export const routes = {
  submit: submitRoute,
  list: listRoute,
  read: readRoute,
  update: updateRoute,
  remove: removeRoute,
  status: statusRoute,
  'social-account-status': socialAccountStatusRoute,
  'review-list': reviewListRoute,
  'review-read': reviewReadRoute,
  'review-decide': reviewDecideRoute,
  'decision-list': decisionListRoute,
  'user-link-list': userLinkListRoute,
} satisfies Routes;
