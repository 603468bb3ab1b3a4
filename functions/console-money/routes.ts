import type { Routes } from '../shared/contract/route.ts';
import { route as home } from './contracts/home.ts';
import { route as show } from './contracts/show.ts';
import { route as statementAction } from './contracts/statement-action.ts';
import { route as statementList } from './contracts/statement-list.ts';
import { route as statementShow } from './contracts/statement-show.ts';
import { route as statementUpload } from './contracts/statement-upload.ts';

export const routes = {
  home,
  show,
  'statement-list': statementList,
  'statement-upload': statementUpload,
  'statement-show': statementShow,
  'statement-action': statementAction,
} satisfies Routes;
