import type { Routes } from '../shared/contract/route.ts';
import { route as audit } from './contracts/audit.ts';
import { route as clientShow } from './contracts/client-show.ts';
import { route as customerDocument } from './contracts/customer-document.ts';
import { route as customerList } from './contracts/customer-list.ts';
import { route as customerShow } from './contracts/customer-show.ts';
import { route as home } from './contracts/home.ts';
import { route as reviewNext } from './contracts/review-next.ts';
import { route as reviewQueue } from './contracts/review-queue.ts';
import { route as reviewShow } from './contracts/review-show.ts';
import { route as reviewSubmit } from './contracts/review-submit.ts';
import { route as search } from './contracts/search.ts';
import { route as signInShow } from './contracts/sign-in-show.ts';
import { route as signInSubmit } from './contracts/sign-in-submit.ts';
import { route as signOut } from './contracts/sign-out.ts';

export const routes = {
  'client-show': clientShow,
  'customer-document': customerDocument,
  'customer-list': customerList,
  'customer-show': customerShow,
  audit,
  home,
  search,
  'review-queue': reviewQueue,
  'review-next': reviewNext,
  'review-show': reviewShow,
  'review-submit': reviewSubmit,
  'sign-in-show': signInShow,
  'sign-in-submit': signInSubmit,
  'sign-out': signOut,
} satisfies Routes;
