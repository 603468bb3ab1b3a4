import type { Routes } from '../shared/contract/route.ts';
import { route as burn } from './contracts/burn.ts';
import { route as create } from './contracts/create.ts';
import { route as createPage } from './contracts/create-page.ts';
import { route as open } from './contracts/open.ts';
import { route as openPage } from './contracts/open-page.ts';
import { route as pageScript } from './contracts/page-script.ts';
import { route as receipt } from './contracts/receipt.ts';

export const routes = {
  create,
  open,
  receipt,
  burn,
  'create-page': createPage,
  'open-page': openPage,
  'page-script': pageScript,
} satisfies Routes;
