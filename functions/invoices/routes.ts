import type { Routes } from '../shared/contract/route.ts';
import { route as creditNoteList } from './contracts/credit-note-list.ts';
import { route as creditNoteRead } from './contracts/credit-note-read.ts';
import { route as list } from './contracts/list.ts';
import { route as read } from './contracts/read.ts';

export const routes = {
  read,
  'credit-note-read': creditNoteRead,
  list,
  'credit-note-list': creditNoteList,
} satisfies Routes;
