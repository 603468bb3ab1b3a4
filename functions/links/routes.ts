import type { Routes } from '../shared/contract/route.ts';
import { route as decisionList } from './contracts/decision-list.ts';
import { route as list } from './contracts/list.ts';
import { route as read } from './contracts/read.ts';
import { route as remove } from './contracts/remove.ts';
import { route as reviewDecide } from './contracts/review-decide.ts';
import { route as reviewList } from './contracts/review-list.ts';
import { route as reviewRead } from './contracts/review-read.ts';
import { route as socialAccountStatus } from './contracts/social-account-status.ts';
import { route as status } from './contracts/status.ts';
import { route as submit } from './contracts/submit.ts';
import { route as update } from './contracts/update.ts';
import { route as userLinkList } from './contracts/user-link-list.ts';

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
