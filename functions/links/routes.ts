import type { Routes } from '../shared/contract/route.ts';
import * as links from './contracts/links.ts';
import * as reviews from './contracts/reviews.ts';
import * as statuses from './contracts/statuses.ts';

export const routes = {
  submit: links.submitRoute,
  list: links.listRoute,
  read: links.readRoute,
  update: links.updateRoute,
  remove: links.removeRoute,
  status: statuses.statusRoute,
  'social-account-status': statuses.socialAccountStatusRoute,
  'review-list': reviews.reviewListRoute,
  'review-read': reviews.reviewReadRoute,
  'review-decide': reviews.reviewDecideRoute,
  'decision-list': reviews.decisionListRoute,
  'user-link-list': links.userLinkListRoute,
} satisfies Routes;
